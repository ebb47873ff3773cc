import type { DocumentEvidence, TextBlock } from "../evidence.ts";
import type { Piece } from "./reading-order.ts";

/** What the reader of a document hands on where the drawn page, or its pictures, must be looked at as well. */
export type DocumentDraft = DocumentEvidence & {
  /** PDF only. */
  pageDrafts: PageDraft[];
  /** Office files only. */
  pictures: PictureDraft[];
};

export type PageDraft = {
  page: number;
  /** The text of the page as it is shown in one go each, in the order it is drawn. */
  runs: DraftRun[];
  /** Comments and form fields: they are not looked for in the drawn page. */
  attached: TextBlock[];
  /** Pictures, or letters that are drawn as shapes. */
  hasPictures: boolean;
  /** Whether some of the text is seen can only be told from the drawn page. */
  isSuspect: boolean;
};

export type DraftRun = Piece & {
  /** The name of the font within the document. */
  font: string;
  isOutside: boolean;
  /** Only a map of the file says which letters these are. */
  isMapped: boolean;
  /** The file does not say which letters these are. */
  isUnnamed: boolean;
};

/** A picture in a part of an Office file. */
export type PictureDraft = {
  part: string;
  page: number;
  region: TextBlock["region"];
  /** Of text in it: that of the slide or paragraph it is in. */
  kind: TextBlock["kind"];
};
