type Props = {
  label: string;
  name: string;
  hint?: string;
  type?: "text" | "email" | "password" | "url" | "datetime-local";
  value?: string;
  placeholder?: string;
  autoComplete?: string;
  required?: boolean;
  autofocus?: boolean;
  isWrong?: boolean;
};

export function Field({ label, name, hint, type = "text", isWrong = false, ...input }: Props) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        {...input}
        {...({ type } as { type: "text" })}
        name={name}
        aria-invalid={isWrong}
        aria-describedby={hint ? `${name}-hint` : undefined}
      />
      {hint && (
        <small id={`${name}-hint`} class="quiet">
          {hint}
        </small>
      )}
    </label>
  );
}
