export const sourceTypes = "http://cv.iptc.org/newscodes/digitalsourcetype";

/** A packet as picture editors write it. */
export function xmpPacket(options: { creatorTool: string; creator?: string; digitalSourceType?: string }): string {
  const source =
    options.digitalSourceType === undefined
      ? ""
      : ` Iptc4xmpExt:DigitalSourceType="${sourceTypes}/${options.digitalSourceType}"`;
  return [
    '<?xpacket begin="\u{feff}" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    '<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"',
    ` xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" xmp:CreatorTool="${options.creatorTool}"${source}>`,
    options.creator === undefined
      ? ""
      : `<dc:creator><rdf:Seq><rdf:li>${options.creator}</rdf:li></rdf:Seq></dc:creator>`,
    "</rdf:Description></rdf:RDF></x:xmpmeta>",
    '<?xpacket end="w"?>',
  ].join("\n");
}
