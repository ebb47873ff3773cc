import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkExtension, parseBlobPath, parseFilename } from "./filename.ts";
import { findMediaType } from "@greenlit/engine/media-types/media-types.ts";

const hostileNames = [
  // Paths
  "../etc/passwd",
  "../../etc/passwd",
  "..\\..\\windows\\win.ini",
  "/etc/passwd",
  "a/b.mp4",
  "a\\b.mp4",
  "C:\\clip.mp4",
  "\\\\server\\share\\clip.mp4",
  "clip.mp4/",
  "./clip.mp4",
  "/",
  "\\",
  ".",
  "..",
  "...",
  "....//clip.mp4",
  // Encoded paths, once and more often
  "%2e%2e%2fetc%2fpasswd",
  "%2E%2E%2Fetc",
  "..%2fetc",
  "..%5cwindows",
  "%2e%2e",
  "%2e",
  ".%2e",
  "%2e.",
  "a%2fb.mp4",
  "a%5Cb.mp4",
  "%252e%252e%252fetc",
  "a%25252fb.mp4",
  "%c0%ae%c0%ae%c0%afetc",
  "a%c1%9cb.mp4",
  "a%e0%80%afb.mp4",
  "a%u002fb.mp4",
  "clip.mp4%00.png",
  "clip.mp4%2500.png",
  // Control characters
  "clip\0.mp4",
  "\0",
  "clip\n.mp4",
  "clip\r\nX-Injected: 1.mp4",
  "clip\t.mp4",
  "clip\u001B[2J.mp4",
  "clip\u007F.mp4",
  "clip\u0085.mp4",
  "clip\u009B.mp4",
  // Spaces and dots outside
  " clip.mp4",
  "clip.mp4 ",
  "clip.mp4.",
  ".clip.mp4",
  ".mp4",
  ".htaccess",
  " ",
  "\u00A0clip.mp4",
  "clip.mp4\u3000",
  "\u2003clip.mp4",
  "\u2028clip.mp4",
  "\uFEFFclip.mp4",
  "clip.mp4\u200B",
  // Bidirectional controls
  "clip\u202Egpj.mp4",
  "clip\u202A.mp4",
  "clip\u202C.mp4",
  "clip\u200E.mp4",
  "clip\u200F.mp4",
  "clip\u061C.mp4",
  "clip\u2066.mp4",
  "clip\u2069.mp4",
  // Windows devices
  "CON",
  "con.mp4",
  "Prn.txt",
  "AUX.tar.gz",
  "nul",
  "NUL .mp4",
  "com1.mp4",
  "COM9",
  "lpt1.txt",
  "LPT9.pdf",
  "COM¹.mp4",
  "lpt³",
  "CONIN$",
  "conout$.txt",
  "CLOCK$",
  "con:clip.mp4",
  // Not Unicode
  "clip\uD800.mp4",
  "\uDC00clip.mp4",
  // Too long, also only after NFC: U+0958 is three bytes and becomes six
  `${"a".repeat(252)}.mp4`,
  "é".repeat(128),
  "😀".repeat(64),
  "\u0958".repeat(43),
];

const honestNames = [
  "clip.mp4",
  "clip",
  "CLIP.MP4",
  "My holiday film.mp4",
  "two  spaces.mp4",
  "a..b.mp4",
  "a...mp4",
  "v1.2 cut.mp4",
  "archive.tar.gz",
  "-clip.mp4",
  "--help",
  "~clip.mp4",
  "_clip.mp4",
  "(1) ~it's+100%!*.mp4",
  "100%!.mp4",
  "50%25 off.mp4",
  "5%1080p.mp4",
  "100%.mp4",
  "%.mp4",
  "%zz.mp4",
  "50%ad.mp4",
  "caf%C3%A9.mp4",
  "a&b=c?d#e.mp4",
  'say "cheese".jpg',
  "<bold>.txt",
  "semi;colon, comma.mp4",
  "10:30 interview.mp4",
  "{curly} [square] |pipe| ^caret^ `tick`.mp4",
  "$HOME.mp4",
  "email@example.com.pdf",
  "Ärger über Öl.mp4",
  "Crème brûlée.mp4",
  "Ελληνικά.mp4",
  "Русский фильм.mp4",
  "日本語の動画.mp4",
  "中文字幕。",
  "한국어 영상.mp4",
  "فيلم عربي.mp4",
  "סרט בעברית.mp4",
  "हिन्दी.mp4",
  "ไทย.mp4",
  "می\u200Cخواهم.mp4",
  "🎬.mp4",
  "family 👨‍👩‍👧‍👦.mp4",
  "flag 🏳️‍🌈 🇬🇧.mp4",
  "a\u00A0b.mp4",
  "fraction 1⁄2.mp4",
  "fullwidth／slash.mp4",
  "console.mp4",
  "CONTENT.mp4",
  "com10.mp4",
  "com.mp4",
  "lpt.txt",
  "nullable.txt",
  "auxiliary.mp4",
  "a con.mp4",
  "clip.con",
  `${"a".repeat(251)}.mp4`,
  `${"é".repeat(125)}a.mp4`,
  "x",
];

describe("parseFilename", () => {
  for (const name of hostileNames) {
    test(`403 for ${JSON.stringify(name).slice(0, 60)}`, () => {
      assert.throws(() => parseFilename(name), {
        code: "invalid_filename",
        status: 403,
        message: /^The filename .+\.$/u,
      });
    });
  }

  for (const name of honestNames) {
    test(`keeps ${JSON.stringify(name).slice(0, 60)}`, () => {
      assert.equal(parseFilename(name), name.normalize("NFC"));
    });
  }

  test("has enough of both", () => {
    assert.ok(new Set(hostileNames).size >= 60);
    assert.ok(new Set(honestNames).size >= 30);
  });

  test("422 when empty", () => {
    assert.throws(() => parseFilename(""), { code: "invalid_request", status: 422 });
  });

  test("the same name composed and decomposed is one name", () => {
    assert.equal(parseFilename("Cre\u0300me.mp4"), "Crème.mp4");
    assert.equal(parseFilename("\u1112\u1161\u11AB.mp4"), "한.mp4");
  });

  test("255 bytes count after composition", () => {
    const decomposed = `${"e\u0301".repeat(125)}a.mp4`;

    assert.equal(Buffer.byteLength(parseFilename(decomposed)), 255);
    assert.ok(Buffer.byteLength(decomposed) > 255);
  });

  test("says which rule and what to do", () => {
    assert.throws(() => parseFilename("../x"), { message: /slash.+bare name/u });
    assert.throws(() => parseFilename("a".repeat(256)), { message: /255 bytes.+shorten/u });
    assert.throws(() => parseFilename("nul.mp4"), { message: /Windows device.+another/u });
  });
});

describe("checkExtension", () => {
  const fitting: [string, string][] = [
    ["clip.mp4", "video/mp4"],
    ["CLIP.Mp4", "video/mp4"],
    ["clip.m4v", "video/mp4"],
    ["clip.tar.mp4", "video/mp4"],
    ["clip", "video/mp4"],
    ["sound.mp4", "audio/mp4"],
    ["photo.JPEG", "image/jpeg"],
    ["photo.jfif", "image/jpeg"],
    ["photo.heif", "image/heic"],
    ["tape.M2TS", "video/mp2t"],
    ["notes.markdown", "text/markdown"],
  ];
  for (const [name, contentType] of fitting) {
    test(`${name} fits ${contentType}`, () => {
      checkExtension(name, findMediaType(contentType));
    });
  }

  const misfits: [string, string][] = [
    ["a.mp4", "image/png"],
    ["a.png", "video/mp4"],
    ["a.mp4.exe", "video/mp4"],
    ["a.html", "text/plain"],
    ["a.svg", "image/png"],
    ["clip.final", "video/mp4"],
    ["v1.2 cut", "video/mp4"],
    ["a.docm", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
    ["a.mp4\u0301", "video/mp4"],
  ];
  for (const [name, contentType] of misfits) {
    test(`403 for ${name} as ${contentType}`, () => {
      assert.throws(() => checkExtension(name, findMediaType(contentType)), { code: "invalid_filename" });
    });
  }

  test("says which extensions fit, and which type the extension has", () => {
    assert.throws(() => checkExtension("a.png", findMediaType("video/mp4")), {
      message: /\.mp4 or \.m4v.+declare image\/png/u,
    });
  });
});

describe("parseBlobPath", () => {
  const workspaceId = "ws_abcdefghij234567";

  test("the filename of a path of the workspace, in NFC", () => {
    assert.deepEqual(parseBlobPath(`${workspaceId}/Cre\u0300me (1).mp4`, workspaceId), { filename: "Crème (1).mp4" });
  });

  test("403, always the same, for a malformed path or one of another workspace", () => {
    const paths = [
      "",
      "clip.mp4",
      workspaceId,
      `${workspaceId}/`,
      `/${workspaceId}/clip.mp4`,
      `${workspaceId}//clip.mp4`,
      `${workspaceId}/a/clip.mp4`,
      `${workspaceId}/../clip.mp4`,
      `${workspaceId}/..%2fclip.mp4`,
      `${workspaceId}/clip\0.mp4`,
      `${workspaceId}\\clip.mp4`,
      `${workspaceId.toUpperCase()}/clip.mp4`,
      `${workspaceId}x/clip.mp4`,
      "ws_zzzzzzzzzzzzzzzz/clip.mp4",
      "ws_zzzzzzzzzzzzzzzz/../clip.mp4",
      `ws_zzzzzzzzzzzzzzzz/../${workspaceId}/clip.mp4`,
    ];
    const messages = paths.map((path) => {
      try {
        return parseBlobPath(path, workspaceId).filename;
      } catch (error) {
        assert.ok(error instanceof Error && "status" in error && error.status === 403, path);
        return error.message;
      }
    });

    assert.deepEqual(new Set(messages).size, 1);
  });
});
