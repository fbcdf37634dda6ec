import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PictureType, pictureTypes, readPicture } from "../../../../src/lib/picture/picture.ts";
import { pictureOf, pictures } from "../../../pictures.ts";
import { threadTime } from "../../../thread-time.ts";

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const joined = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
const changed = (type: PictureType, at: number, ...values: number[]) => {
  const bytes = pictureOf(type).slice();
  bytes.set(values, at);
  return bytes;
};
const incomplete = { problem: expect.stringMatching(/^The file is not a complete (JPEG|PNG|GIF|WebP) picture\.$/) };

describe("a picture", () => {
  it.each(pictures)("$name is read, with its size", ({ type, bytes }) => {
    expect(readPicture(type, bytes)).toEqual({ width: 5, height: 4 });
  });

  it("of a few bytes that claims to be huge is refused", () => {
    const png = pictures.find(({ type }) => type === "image/png")?.bytes ?? new Uint8Array();
    const huge = png.slice();
    new DataView(huge.buffer).setUint32(16, 100_000);
    expect(readPicture("image/png", huge)).toEqual({
      problem: expect.stringMatching(/^The picture has 100000 × 4 pixels: at most 16384 a side/),
    });
  });

  it("of a few bytes has at most 40 million pixels", () => {
    const sized = (width: number, height: number) => {
      const bytes = pictureOf("image/png").slice();
      new DataView(bytes.buffer).setUint32(16, width);
      new DataView(bytes.buffer).setUint32(20, height);
      return readPicture("image/png", bytes);
    };
    expect(sized(8_000, 5_000)).toEqual({ width: 8_000, height: 5_000 });
    for (const [width, height] of [
      [8_001, 5_000],
      [16_384, 16_384],
    ] as const)
      expect(sized(width, height)).toEqual({ problem: expect.stringContaining("and 40000000 in all") });
  });

  describe("of several frames", () => {
    const word = (value: number) => [value & 255, value >> 8];
    const three = (value: number) => [value & 255, (value >> 8) & 255, value >> 16];
    const four = (value: number) => [value & 255, (value >> 8) & 255, (value >> 16) & 255, value >> 24];
    type Rectangle = [x: number, y: number, width: number, height: number];
    const gif = (side: number, frames: Rectangle[]) =>
      joined(
        latin1("GIF89a"),
        Uint8Array.of(...word(side), ...word(side), 0, 0, 0),
        Uint8Array.from(frames.flatMap((frame) => [0x2c, ...frame.flatMap(word), 0, 2, 1, 0, 0])),
        Uint8Array.of(0x3b),
      );
    const chunk = (type: string, ...data: number[]) => [...latin1(type), ...four(data.length), ...data];
    const lossless = (width: number, height: number) =>
      chunk("VP8L", 0x2f, ...four((width - 1) | ((height - 1) << 14)), 0);
    const webp = (side: number, ...chunks: number[][]) => {
      const canvas = chunk("VP8X", 0, 0, 0, 0, ...three(side - 1), ...three(side - 1));
      return Uint8Array.from(chunk("RIFF", ...latin1("WEBP"), ...canvas, ...chunks.flat()));
    };
    const frame = ([x, y, width, height]: Rectangle, image = lossless(width, height)) =>
      chunk("ANMF", ...three(x / 2), ...three(y / 2), ...three(width - 1), ...three(height - 1), 0, 0, 0, 0, ...image);
    const png = (frames: Rectangle[]) => {
      const control = frames.flatMap(([x, y, width, height]) => {
        const fields = [0, width, height, x, y].flatMap((value) => four(value).reverse());
        return [0, 0, 0, 26, ...latin1("fcTL"), ...fields, ...Array(6).fill(0), 0, 0, 0, 0];
      });
      const bytes = pictureOf("image/png");
      return joined(bytes.subarray(0, 33), Uint8Array.from(control), bytes.subarray(33));
    };
    const most = expect.stringMatching(/^The picture has \d+ frames of .* at most 400000000 pixels in all frames/);

    it("may have frames anywhere inside", () => {
      expect(
        readPicture(
          "image/gif",
          gif(20, [
            [0, 0, 20, 20],
            [5, 5, 15, 15],
          ]),
        ),
      ).toEqual({ width: 20, height: 20 });
      const animated = webp(20, frame([0, 0, 20, 20]), frame([4, 4, 16, 16]));
      expect(readPicture("image/webp", animated)).toEqual({ width: 20, height: 20 });
      expect(
        readPicture(
          "image/png",
          png([
            [0, 0, 5, 4],
            [1, 1, 4, 3],
          ]),
        ),
      ).toEqual({ width: 5, height: 4 });
    });

    it.each([
      ["a GIF", "image/gif", gif(10, [[0, 0, 16_000, 16_000]])],
      [
        "a GIF, by its place",
        "image/gif",
        gif(10, [
          [0, 0, 10, 10],
          [5, 0, 6, 1],
        ]),
      ],
      ["a lossless WebP", "image/webp", webp(10, lossless(16_384, 16_384))],
      ["an animated WebP", "image/webp", webp(10, frame([0, 0, 16_000, 10]))],
      [
        "an animated WebP, by the image of a frame",
        "image/webp",
        webp(10, frame([0, 0, 10, 10], lossless(9_000, 9_000))),
      ],
      ["a PNG", "image/png", png([[0, 0, 16_000, 4]])],
    ] as const)("is refused where one reaches beyond: %s", (_name, type, bytes) => {
      expect(readPicture(type, bytes)).toEqual({
        problem: expect.stringMatching(/, and a frame in it reaches to \d+ × \d+/),
      });
    });

    it("has at most 400 million pixels in all of them", () => {
      const small = (count: number): Rectangle[] => Array(count).fill([0, 0, 1, 1]);
      expect(readPicture("image/gif", gif(2_000, small(100)))).toEqual({ width: 2_000, height: 2_000 });
      expect(readPicture("image/gif", gif(2_000, small(101)))).toEqual({ problem: most });
      const animated = webp(5_000, ...Array(17).fill(frame([0, 0, 2, 2])));
      expect(readPicture("image/webp", animated)).toEqual({ problem: most });
      const huge = png(small(12));
      new DataView(huge.buffer).setUint32(16, 6_000);
      new DataView(huge.buffer).setUint32(20, 6_000);
      expect(readPicture("image/png", huge)).toEqual({ problem: most });
    });
  });

  it("has a sample of each type", () => {
    expect(new Set(pictures.map(({ type }) => type))).toEqual(new Set(pictureTypes));
  });

  it.each(pictures)("$name is refused as any other type, and its own is named", ({ type, bytes }) => {
    for (const other of pictureTypes.filter((one) => one !== type))
      expect(readPicture(other, bytes)).toEqual({ problem: `The file is ${type}, not ${other}.` });
  });

  it.each(pictures)("$name that is cut off anywhere is refused", ({ name, type, bytes }) => {
    for (let length = 0; length < bytes.length; length++) {
      // A GIF may end without its trailer.
      if (type === "image/gif" && length === bytes.length - 1) continue;
      const cut = readPicture(type, bytes.subarray(0, length));
      // Frames of an animation are complete pictures.
      if (name === "animated GIF" && !("problem" in cut)) continue;
      expect(cut, `${length} bytes`).toEqual(incomplete);
    }
  });
});

describe("a file that is no picture", () => {
  it.each([
    ["nothing", ""],
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ["HTML", "<!doctype html><script>alert(1)</script>"],
    ["HTML after a GIF signature", "GIF89a<html><script>alert(1)</script></html>"],
    ["a script after a GIF signature", "GIF89a=1;/*<svg onload=alert(1)>*/alert(1)"],
    ["HTML after a PNG signature", "\x89PNG\r\n\x1a\n<script>alert(1)</script>"],
    ["HTML after a JPEG signature", "\xff\xd8\xff\xe0<script>alert(1)</script>\xff\xd9"],
    ["HTML in a RIFF container", "RIFF\x20\x00\x00\x00WEBP<script>alert(1)</script>"],
    ["a PDF", "%PDF-1.7\n%%EOF"],
  ])("is refused as every type: %s", (_what, text) => {
    for (const type of pictureTypes) expect(readPicture(type, latin1(text))).toEqual(incomplete);
  });

  it.each(pictures)("is refused if it is $name with markup after its end", ({ type, bytes }) => {
    for (const markup of ["<script>alert(1)</script>", "<SVG onload=x>", "\0\0<!DOCTYPE html>", "<iframe src=x>"])
      expect(readPicture(type, joined(bytes, latin1(markup))), markup).toEqual({
        problem: "The file has markup such as <script> or <svg> in it.",
      });
  });

  it("is refused if it is a picture with markup near its start", () => {
    const jpeg = pictureOf("image/jpeg");
    const comment = latin1("<html><script>alert(1)</script>");
    const segment = joined(Uint8Array.of(0xff, 0xfe, 0, comment.length + 2), comment);
    expect(readPicture("image/jpeg", joined(jpeg.subarray(0, 2), segment, jpeg.subarray(2)))).toHaveProperty("problem");
  });

  it("is a picture if only other bytes follow its end, as cameras write them", () => {
    const jpeg = pictureOf("image/jpeg");
    expect(readPicture("image/jpeg", joined(jpeg, pictures[0]?.bytes ?? jpeg))).toEqual({ width: 5, height: 4 });
  });

  it.each([
    ["a PNG without width", "image/png", changed("image/png", 16, 0, 0, 0, 0)],
    ["a PNG of 2^31 rows", "image/png", changed("image/png", 20, 0x80, 0, 0, 0)],
    ["a PNG with an unknown color type", "image/png", changed("image/png", 25, 5)],
    ["a PNG with an unknown depth", "image/png", changed("image/png", 24, 3)],
    ["a PNG with a chunk that is longer than the file", "image/png", changed("image/png", 33, 0xff)],
    ["a GIF without width", "image/gif", changed("image/gif", 6, 0, 0)],
    ["a GIF without height", "image/gif", changed("image/gif", 8, 0, 0)],
    ["a GIF of another version", "image/gif", changed("image/gif", 4, 0x38)],
    ["a WebP that is longer than the file", "image/webp", changed("image/webp", 4, 0xff)],
    ["a WebP that is shorter than its chunk", "image/webp", changed("image/webp", 4, 20)],
    ["a WebP whose first frame is no key frame", "image/webp", changed("image/webp", 20, 1)],
  ] as const)("is refused: %s", (_what, type, bytes) => {
    expect(readPicture(type, bytes)).toEqual(incomplete);
  });

  it("is refused: a JPEG with scans without end, which a mail client decodes one by one", () => {
    const jpeg = pictureOf("image/jpeg");
    const at = jpeg.findIndex((byte, index) => byte === 0xff && jpeg[index + 1] === 0xda);
    const scan = jpeg.subarray(at, at + 2 + (jpeg[at + 3] ?? 0));
    const withScans = (more: number) => joined(jpeg.subarray(0, at), ...Array(more).fill(scan), jpeg.subarray(at));
    expect(readPicture("image/jpeg", withScans(99))).toEqual({ width: 5, height: 4 });
    expect(readPicture("image/jpeg", withScans(100))).toEqual({
      problem: expect.stringContaining("101 scans: at most 100"),
    });
  });

  it("is refused: a JPEG without rows, one whose scan comes before its frame, and one of two frames", () => {
    const jpeg = pictureOf("image/jpeg");
    const frame = jpeg.findIndex((byte, at) => byte === 0xff && jpeg[at + 1] === 0xc0);
    expect(readPicture("image/jpeg", changed("image/jpeg", frame + 5, 0, 0))).toEqual(incomplete);
    expect(readPicture("image/jpeg", changed("image/jpeg", frame + 1, 0xe5))).toEqual(incomplete);
    const header = jpeg.subarray(frame, frame + 2 + (jpeg[frame + 3] ?? 0));
    const twice = joined(jpeg.subarray(0, frame), header, jpeg.subarray(frame));
    expect(readPicture("image/jpeg", twice)).toEqual(incomplete);
  });
});

describe("generated files", () => {
  const type = fc.constantFrom(...pictureTypes);

  it("of random bytes are refused, with and without a signature", () => {
    const starts = fc.constantFrom(...pictures.map(({ bytes }) => bytes.subarray(0, 12)), new Uint8Array());
    fc.assert(
      fc.property(type, starts, fc.uint8Array({ maxLength: 400 }), (as, start, rest) => {
        expect(readPicture(as, joined(start, rest))).toHaveProperty("problem");
      }),
      { numRuns: 2_000 },
    );
  });

  it("that are changed pictures never throw, and have a size if they are accepted", () => {
    const change = fc.record({ at: fc.nat(1_100), value: fc.nat(255) });
    fc.assert(
      fc.property(
        fc.constantFrom(...pictures),
        fc.array(change, { maxLength: 6 }),
        fc.nat(1_100),
        ({ type: as, bytes: original }, changes, cut) => {
          const bytes = original.slice(0, cut % 3 === 0 ? cut : original.length);
          for (const { at, value } of changes) if (at < bytes.length) bytes[at] = value;
          const read = readPicture(as, bytes);
          if ("problem" in read) expect(read.problem).toMatch(/^The (file|picture) /);
          else expect([read.width > 0, read.height > 0]).toEqual([true, true]);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it("of 4 MB that are made to be slow are read in one pass", () => {
    const size = 4_000_000;
    const repeated = (start: Uint8Array, unit: number[]) => {
      const bytes = new Uint8Array(size);
      bytes.set(start);
      for (let at = start.length; at + unit.length <= size; at += unit.length) bytes.set(unit, at);
      return bytes;
    };
    const slow: [PictureType, Uint8Array][] = [
      ["image/png", repeated(pictureOf("image/png").subarray(0, 33), [0, 0, 0, 0, 0x49, 0x44, 0x41, 0x54, 0, 0, 0, 0])],
      ["image/gif", repeated(pictureOf("image/gif").subarray(0, 13), [0x21, 0xfe, 0])],
      ["image/jpeg", repeated(pictureOf("image/jpeg").subarray(0, 300), [0xff, 0])],
      ["image/jpeg", repeated(Uint8Array.of(0xff, 0xd8), [0xff])],
      ["image/webp", repeated(latin1("RIFF\xf8\x08\x3d\x00WEBP"), [0x41, 0x4c, 0x50, 0x48, 0, 0, 0, 0])],
    ];
    for (const [as, bytes] of slow) {
      // 0.1 s on an idle machine. A quadratic reader would take minutes.
      expect(threadTime(() => expect(readPicture(as, bytes)).toHaveProperty("problem"))).toBeLessThan(10_000);
    }
  });
});
