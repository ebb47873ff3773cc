/** What a submission can say about its file, by the names that the rules know. */
export const choices = {
  jurisdictions:
    "UK US EU AU CA NZ IN IE FR DE ES IT NL BE AT SE DK FI PL PT CZ GR HU RO BG HR SK SI LT LV EE LU MT CY".split(" "),
  channel: ["tv", "radio", "online", "social", "print", "outdoor", "email", "cinema"],
  audience: ["general", "children", "adults", "trade"],
  destination: [
    "uk_tv",
    "eu_tv",
    "us_tv",
    "au_tv",
    "nz_tv",
    "ebu",
    "atsc",
    "netflix",
    "youtube",
    "spotify",
    "apple_music",
    "apple_podcasts",
  ],
} as const;
