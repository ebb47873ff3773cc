/** As long as that of an asset that completed. */
export const eventBody = JSON.stringify({
  type: "asset.processing.completed",
  timestamp: "2026-01-01T00:00:00.000Z",
  data: {
    submission_id: "0193b1f0-0000-7000-8000-000000000000",
    asset_id: "0193b1f0-0000-7000-8000-000000000001",
    version_group_id: "0193b1f0-0000-7000-8000-000000000002",
    version_number: 1,
    filename: "spring-ad.mp4",
    mime_type: "video/mp4",
    size_bytes: 12_345_678,
    status: "complete",
    issue_count: 3,
    severity_counts: { CRITICAL: 1, MAJOR: 1, MINOR: 1, INFO: 0 },
    metadata: { campaign: "spring", jurisdictions: ["UK"], sector: "alcohol" },
    livemode: true,
  },
});
