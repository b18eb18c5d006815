/** Announced by screen readers, as the remarks change while typing. */
export const FieldWarnings = ({ remarks }: { remarks: readonly string[] }) => (
  <ul aria-live="polite" className="flex flex-col gap-1 text-sm text-yellow-ink empty:hidden">
    {remarks.map((remark) => (
      <li key={remark}>{remark}</li>
    ))}
  </ul>
)
