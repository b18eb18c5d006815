/** Placeholder for a hidden value. */
export const Masked = () => (
  <>
    <span aria-hidden className="text-muted">
      ••••••••
    </span>
    <span className="sr-only">Hidden</span>
  </>
)
