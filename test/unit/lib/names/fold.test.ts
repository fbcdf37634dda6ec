import { describe, expect, it } from "vitest";
import { beginsWords, fold, foldedWords, hasWords } from "../../../../src/lib/names/fold.ts";

describe("folded text", () => {
  it.each([
    ["Søren", "soren"],
    ["SØREN Ærø", "soren aero"],
    ["Renée", "renee"],
    ["Rene\u0301e", "renee"],
    ["Łukasz Żółć", "lukasz zolc"],
    ["İstanbul Işık", "istanbul isik"],
    ["Straße", "strasse"],
    ["STRASSE", "strasse"],
    ["O’Brien", "o'brien"],
    ["Ｆｕｌｌ", "full"],
    ["Νίκος", "νικοσ"],
    ["ΝΙΚΟΣ", "νικοσ"],
    ["Алёна", "алена"],
    ["مُحَمَّد", "محمد"],
    ["김민준", "김민준"],
    ["가", "가"],
    ["ガ", "ガ"],
    ["राम", "राम"],
  ])("%s is %s", (text, folded) => {
    expect(fold(text)).toBe(folded);
    expect(fold(folded)).toBe(folded);
  });

  it("keeps marks that are letters of their own", () => {
    expect(fold("が")).not.toBe(fold("か"));
    expect(fold("कि")).not.toBe(fold("क"));
  });
});

describe("words of a search", () => {
  it("are split at any blank, and marks alone are none", () => {
    expect(foldedWords("  Ada\u00a0 LOVELACE\t")).toEqual(["ada", "lovelace"]);
    expect(foldedWords("\u0301")).toEqual([]);
  });

  it("are found in any order, each anywhere", () => {
    expect(hasWords("grace hopper grace@navy.example", ["hopper", "gra"])).toBe(true);
    expect(hasWords("grace hopper", ["grace", "ada"])).toBe(false);
  });

  it("begin a word after a blank or a mark, also behind another place", () => {
    expect(beginsWords("hannah ann", ["ann"])).toBe(true);
    expect(beginsWords("x@ann.example", ["ann"])).toBe(true);
    expect(beginsWords("hannah joann", ["ann"])).toBe(false);
    expect(beginsWords("ädann", ["ann"])).toBe(false);
  });
});
