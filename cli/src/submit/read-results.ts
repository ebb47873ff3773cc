import type { EvidenceFrame } from "@greenlit/engine/evidence/frames/frames.ts";
import type { Measurements } from "@greenlit/engine/measurements.ts";
import type { Greenlit } from "@greenlit/sdk/src/client.ts";
import { NotFoundError } from "@greenlit/sdk/src/errors.ts";
import { type CheckedFile, type CheckedIssue, emptyFile } from "../check/check-file.ts";
import type { Uncheckable } from "../check/recognise-file.ts";
import type { SubmittedFiles } from "./submit-files.ts";

const maxFrames = 40;

/** The results of a finished submission in the shape that `greenlit check` reports. */
export async function readResults(
  greenlit: Greenlit,
  { submissionId, files }: SubmittedFiles,
  { wantsFrames }: { wantsFrames: boolean },
): Promise<CheckedFile[]> {
  const { assets } = await greenlit.submissions.get(submissionId);
  return Promise.all(
    files.map(async ({ path, assetId }): Promise<CheckedFile> => {
      const asset = assets.find((other) => other.assetId === assetId);
      const kind = asset?.mimeType.split("/")[0] ?? null;
      const file = { ...emptyFile(path), submissionId, assetId, kind };
      if (asset?.status !== "complete")
        return {
          ...file,
          status: "failed",
          errorType: asset?.errorType ?? null,
          errorMessage: asset?.errorMessage ?? null,
        };
      const issues = (await greenlit.assets.issues(submissionId, assetId).all()) as CheckedIssue[];
      // A sandbox measures nothing.
      const measurements = await orNull(greenlit.assets.measurements(submissionId, assetId));
      const frames = wantsFrames ? await readFrames(greenlit, { submissionId, assetId, issues }) : [];
      return { ...file, issues, measurements: measurements as unknown as Measurements | null, frames };
    }),
  );
}

export function uncheckedFile(path: string, { errorType, message }: Uncheckable): CheckedFile {
  return { ...emptyFile(path), status: "failed", errorType, errorMessage: message };
}

async function readFrames(
  greenlit: Greenlit,
  { submissionId, assetId, issues }: { submissionId: string; assetId: string; issues: CheckedIssue[] },
): Promise<EvidenceFrame[]> {
  const frames: EvidenceFrame[] = [];
  for (const [index, { id, location }] of issues.slice(0, maxFrames).entries()) {
    const jpeg = await orNull(greenlit.issues.frame(submissionId, assetId, id));
    if (jpeg === null) continue;
    const jpegBase64 = Buffer.from(await jpeg.arrayBuffer()).toString("base64");
    frames.push({
      seconds: location?.startSeconds ?? null,
      page: location?.page ?? null,
      jpegBase64,
      findings: [index],
    });
  }
  return frames;
}

async function orNull<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
