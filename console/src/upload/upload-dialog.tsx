import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { greenlit } from "../api/client.ts";
import { Dialog } from "../ui/dialog.tsx";
import { bytes, plural } from "../ui/format.ts";
import { checkpointOf } from "./checkpoints.ts";
import { ContextForm } from "./context-form.tsx";
import { context, loadDefaultContext, rememberContext } from "./context.ts";
import { startUpload } from "./uploads.ts";

type Earlier = { submissionId: string; filename: string; versionNumber: number };

/** Asks what the files are for, and whether one is a new version of something. */
export function UploadDialog({ files, onClose }: { files: File[]; onClose: () => void }) {
  const earlier = useSignal<Map<File, Earlier>>(new Map());
  const refused = useSignal<Set<File>>(new Set());
  const isSearching = useSignal(true);
  const search = useRef<Promise<void>>(Promise.resolve());
  const isAsked = useSignal(false);
  useEffect(() => {
    void loadDefaultContext().catch(() => undefined);
    search.current = findEarlier(files)
      .then((found) => void (earlier.value = found))
      // Without an answer there is nothing to offer, and the files go as they are.
      .catch(() => undefined)
      .finally(() => (isSearching.value = false));
  }, [files]);
  const start = async () => {
    if (isSearching.value) {
      isAsked.value = true;
      await search.current;
      isAsked.value = false;
      // Nobody has seen this offer yet: it is theirs to take or to refuse.
      if (earlier.value.size > 0) return;
    }
    rememberContext(context.value);
    for (const file of files) {
      const before = refused.value.has(file) ? undefined : earlier.value.get(file);
      startUpload(file, { context: context.value, previousSubmissionId: before?.submissionId });
    }
    onClose();
  };
  return (
    <Dialog title={`Upload ${plural(files.length, "file")}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <ul class="file-list">
          {files.map((file) => {
            const before = earlier.value.get(file);
            return (
              <li key={file}>
                <span class="cut">{file.name}</span>
                <span class="quiet">
                  {bytes(file.size)}
                  {checkpointOf(file) && " · continues where it stopped"}
                </span>
                {before && (
                  <label class="check">
                    <input
                      type="checkbox"
                      checked={!refused.value.has(file)}
                      onChange={(event) => {
                        const next = new Set(refused.value);
                        if (event.currentTarget.checked) next.delete(file);
                        else next.add(file);
                        refused.value = next;
                      }}
                    />
                    New version of {before.filename} (version {before.versionNumber})
                  </label>
                )}
              </li>
            );
          })}
        </ul>
        <ContextForm value={context.value} onChange={(next) => (context.value = next)} />
        <footer>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isAsked.value}>
            {isAsked.value ? "Looking for earlier versions…" : "Upload and check"}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

/** `Spot_v2 (1).mp4` and `spot.mp4` are the same thing to people who name files. */
function stemOf(filename: string): string {
  return filename
    .toLowerCase()
    .replace(/\.[^.]*$/, "")
    .replace(/\s*\(\d+\)$/, "")
    .replace(/[\s_.-]*(?:v|ver|version)?[\s_.-]*\d{1,3}$/, "");
}

async function findEarlier(files: readonly File[]): Promise<Map<File, Earlier>> {
  const found = new Map<File, Earlier>();
  for (const file of files.slice(0, 20)) {
    const stem = stemOf(file.name);
    if (stem.length < 3) continue;
    const { data } = await greenlit.call("listReviews", { query: { q: `${stem} `, limit: 20, order: "newest" } });
    const before = data.find(({ filename }) => stemOf(filename) === stem);
    if (before) found.set(file, before);
  }
  return found;
}
