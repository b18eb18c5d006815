/** Stands for a value that is withheld. */
export const Masked = () => (
  <>
    <span aria-hidden className="text-muted">
      ••••••••
    </span>
    <span className="sr-only">Hidden</span>
  </>
)
