import { describe, expect, it } from "vitest";
import { hasRemote, previewOf } from "../../../src/dashboard/app/parts/mail-frame/preview.ts";

const html = `<style>@media (prefers-color-scheme: dark) { p { color: white } } p { background: url(https://t.example/b.png) }
@import url("https://t.example/c.css"); @font-face { src: url('https://t.example/f.woff2') }</style>
<body background="https://t.example/a.png"><img alt="Logo" src="https://t.example/pixel.gif"><img src="https://t.example/d.png" srcset="https://t.example/e.png 2x">
<td style="background-image:url(&quot;https://t.example/g.png&quot;)"><a href="https://acme.example">Go</a>`;

describe("the preview of a mail", () => {
  it("shows the rules of one scheme, whatever the browser prefers", () => {
    expect(previewOf(html, { isDark: true, withImages: true })).toContain("@media (min-width:0) { p");
    expect(previewOf(html, { isDark: false, withImages: true })).toContain("@media (max-width:0) { p");
    const both = "<style>@media screen and (prefers-color-scheme:light) { p { color: red } }</style>";
    expect(previewOf(both, { isDark: false, withImages: true })).toContain("@media screen and (min-width:0)");
  });

  it("asks no other host before a person loads the pictures, and keeps links and words", () => {
    const shown = previewOf(html, { isDark: false, withImages: false });
    expect(shown).not.toMatch(/ (src|srcset)=/);
    expect(shown.replaceAll(/data-blocked="[^"]*"/g, "")).not.toContain("t.example");
    expect(shown).toContain('<a href="https://acme.example">Go</a>');
    expect(shown).toContain('alt="Logo"');
    expect(previewOf(html, { isDark: false, withImages: true })).toContain('src="https://t.example/pixel.gif"');
  });

  it("says whether a mail has pictures of other servers", () => {
    expect(hasRemote(html)).toBe(true);
    expect(hasRemote("<style>@media (prefers-color-scheme: dark) { p { color: white } }</style><p>Hello</p>")).toBe(
      false,
    );
  });
});
