/** Something for a browser to show, as a file of its own in the folder that the caller gave. */
export type RenditionFile = {
  kind: "media" | "poster" | "thumbnail" | "filmstrip" | "waveform" | "page";
  /** Of a page, from 1; 0 for the other kinds. */
  number: number;
  file: string;
  contentType: string;
  /** Sizes in pixels; of a filmstrip also where its pictures are. */
  detail: Record<string, number>;
};

/** What is known once the file was looked at, before anything is made. */
export type RenditionPlan = {
  /** What is played or shown: the file as it is, something made of it, or nothing (a document has pages). */
  source: "original" | "rendition" | "none";
  durationSeconds: number | null;
  /** Null for what does not move, and where nothing says. */
  framesPerSecond: number | null;
  pageCount: number | null;
};

export type RenditionListeners = {
  onPlan: (plan: RenditionPlan) => void;
  onFile: (rendition: RenditionFile) => void;
  /** 0 to 1. */
  onProgress: (fraction: number) => void;
};
