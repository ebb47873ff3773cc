import { formatSize, maxBytesByCategory, mediaTypes } from "@greenlit/engine/media-types/media-types.ts";

/** The allowlist as a few lines of Markdown, for the operations that take a content type. */
export const allowedTypesText = Object.entries(Object.groupBy(mediaTypes, ({ category }) => category))
  .map(([category, types]) => {
    const cap = formatSize(maxBytesByCategory[category as keyof typeof maxBytesByCategory]);
    return `- **${category}** (up to ${cap}): ${types.map(({ contentType }) => `\`${contentType}\``).join(", ")}`;
  })
  .join("\n");
