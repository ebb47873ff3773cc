/** A document that shows one text to people and another, or none, to a careless reader. */
export type EvasiveDocument = {
  name: string;
  contentType: string;
  bytes: Buffer;
  /** What a person reads, with its page. */
  reads?: Record<string, number>;
  /** What is in the file and nobody sees. */
  hides?: string[];
  /** A part that is named as not checked. */
  omits?: RegExp;
  /** What is drawn differs from the text in the file. */
  lies?: boolean;
};
