import { useSignal } from "@preact/signals";
import { bytes } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { Link } from "../ui/router.tsx";
import { forgetInterrupted, interruptedUploads } from "./checkpoints.ts";
import { cancelUpload, clearDone, retryUpload, uploads, type Upload } from "./uploads.ts";

/** What is on its way, in the corner of every page. */
export function UploadPanel() {
  const interrupted = useSignal(interruptedUploads());
  const waiting = interrupted.value.filter(({ filename }) => !uploads.value.some(({ file }) => file.name === filename));
  if (uploads.value.length === 0 && waiting.length === 0) return null;
  // What was refused needs somebody: it must not wait below the edge of a long list.
  const list = uploads.value.toSorted((a, b) => Number(b.state === "failed") - Number(a.state === "failed"));
  return (
    <section class="upload-panel" aria-label="Uploads">
      <header>
        <strong>{uploads.value.length > 0 ? "Uploads" : "Interrupted uploads"}</strong>
        {list.some(({ state }) => state === "done") && (
          <button type="button" class="plain small" onClick={clearDone}>
            Clear
          </button>
        )}
      </header>
      <ul>
        {list.map((upload) => (
          <Item key={upload.id} upload={upload} />
        ))}
        {waiting.map(({ key, filename, sizeBytes, sentBytes }) => (
          <li key={key}>
            <div class="row">
              <span class="cut">{filename}</span>
              <button
                type="button"
                class="plain square"
                aria-label={`Forget ${filename}`}
                onClick={() => {
                  forgetInterrupted(key);
                  interrupted.value = interruptedUploads();
                }}
              >
                <Icon name="close" size={14} />
              </button>
            </div>
            <progress value={sentBytes} max={sizeBytes} aria-label={`${filename} sent so far`} />
            <small class="quiet">
              {bytes(sentBytes)} of {bytes(sizeBytes)} sent. Choose the same file again to continue.
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Item({ upload }: { upload: Upload }) {
  const { id, file, state, sentBytes, bytesPerSecond, error, submissionId, assetId } = upload;
  return (
    <li class={state}>
      <div class="row">
        {state === "done" ? (
          <Link class="cut" to={`/assets/${submissionId}/${assetId}`}>
            {file.name}
          </Link>
        ) : (
          <span class="cut">{file.name}</span>
        )}
        {state === "failed" && (
          <button type="button" class="plain small" onClick={() => retryUpload(id)}>
            Try again
          </button>
        )}
        {state === "done" ? (
          <Icon name="check" />
        ) : (
          <button
            type="button"
            class="plain square"
            aria-label={`Cancel ${file.name}`}
            onClick={() => cancelUpload(id)}
          >
            <Icon name="close" size={14} />
          </button>
        )}
      </div>
      {(state === "sending" || state === "submitting") && (
        <progress value={sentBytes} max={file.size} aria-label={`${file.name} sent`} />
      )}
      <small class={state === "failed" ? "refusal" : "quiet"} role={state === "failed" ? "alert" : undefined}>
        {state === "waiting" && "Waiting"}
        {state === "sending" &&
          `${bytes(sentBytes)} of ${bytes(file.size)}${bytesPerSecond > 0 ? ` · ${bytes(bytesPerSecond)}/s` : ""}`}
        {state === "submitting" && "Submitting…"}
        {state === "done" && "Submitted"}
        {state === "failed" && error}
      </small>
    </li>
  );
}
