import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { aiXmp, animation, apng, banner, bmp, cameraExif, picture, pngWith, twoPageTiff } from "./documents/images.ts";
import { phoneMp4, taggedMp3 } from "./documents/media.ts";
import { briefDocx, deckPptx, lockedDocx, tableXlsx } from "./documents/office.ts";
import { claimsPdf, lockedPdf, scanPdf } from "./documents/pdfs.ts";
import { signAsMachineMade } from "./documents/sign-c2pa.ts";

/**
 * Writes the documents and pictures of the golden kit; truth-documents.json says what is in them. Two of them need
 * tools that the tests do not: openssl for what is signed, heif-enc for the HEIC one.
 */
const folder = fileURLToPath(new URL("./files/", import.meta.url));
mkdirSync(folder, { recursive: true });

const captionsSrt = `\ufeff1\r
00:00:01,000 --> 00:00:03,500\r
<i>Now with</i> 30% more\r
{\\an8}in every pack\r
\r
2\r
00:00:03,000 --> 00:00:05,250\r
Overlaps the first\r
\r
3\r
00:99:00,000 --> 00:00:01,000\r
Has no such minute\r
\r
4\r
01:00:00,000 --> 01:00:01,000\r
An hour in\r
`;

const captionsVtt = `WEBVTT - made by hand

STYLE
::cue { color: red }

NOTE not a cue

intro
00:01.000 --> 00:02.500 line:90% position:10%,line-left align:start
<v Anna>Hello &amp; <b>welcome</b>

00:00:02.500 --> 00:00:04.000
2 < 3 stays
`;

const files: Record<string, Buffer> = {
  "claims.pdf": claimsPdf(),
  "scan.pdf": await scanPdf(),
  "locked.pdf": lockedPdf(),
  "brief.docx": briefDocx(),
  "deck.pptx": deckPptx(),
  "table.xlsx": tableXlsx(),
  "locked.docx": lockedDocx(),
  "utf-16.txt": Buffer.from("\ufeffPrice: 5 €\r\n\r\nSecond paragraph", "utf16le"),
  "windows-1252.txt": Buffer.from("Caf\xe9 \x96 only \x80 5", "latin1"),
  "notes.md": Buffer.from("# Offer\n\n**Free** for everybody\n"),
  "table.csv": Buffer.from('product,price\n"Tea, green",4.50\n'),
  "captions.srt": Buffer.from(captionsSrt),
  "captions.vtt": Buffer.from(captionsVtt),
  "gps.jpg": await picture().jpeg().withExif(cameraExif).toBuffer(),
  "small-print.png": await banner().png({ palette: true }).toBuffer(),
  "turned.jpg": await picture().jpeg().withMetadata({ orientation: 6 }).toBuffer(),
  "ai.jpg": await picture().jpeg().withXmp(aiXmp()).toBuffer(),
  "ai.png": await picture().png().withXmp(aiXmp()).toBuffer(),
  "ai.webp": await picture().webp().withXmp(aiXmp()).toBuffer(),
  "ai.avif": await picture().avif().withXmp(aiXmp()).toBuffer(),
  "ai.tiff": await picture().tiff().withXmp(aiXmp()).toBuffer(),
  "prompt.png": await pngWith([
    { type: "tEXt", data: Buffer.from("parameters\0a red bottle on a beach, Steps: 20, Seed: 42", "latin1") },
  ]),
  "two-pages.tiff": twoPageTiff(),
  "still.bmp": await bmp(),
  "moving.gif": await (await animation()).gif({ delay: [100, 200, 300] }).toBuffer(),
  "moving.webp": await (await animation()).webp({ delay: [100, 200, 300], lossless: true }).toBuffer(),
  "moving.png": apng(),
  "signed.jpg": await signAsMachineMade(await picture().jpeg().toBuffer(), "image/jpeg"),
  "signed.mp4": await signAsMachineMade(phoneMp4(), "video/mp4"),
  "phone.mp4": phoneMp4(),
  "tagged.mp3": taggedMp3(),
};
for (const [name, bytes] of Object.entries(files)) writeFileSync(folder + name, bytes);
execFileSync("heif-enc", ["-q", "60", `${folder}gps.jpg`, "-o", `${folder}gps.heic`], { stdio: "ignore" });
