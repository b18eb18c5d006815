/** What should be known of what was typed; heard as well as seen, as it changes while one types. */
export const Remarks = ({ remarks }: { remarks: readonly string[] }) => (
  <ul aria-live="polite" className="flex flex-col gap-1 text-sm text-yellow-ink empty:hidden">
    {remarks.map((remark) => (
      <li key={remark}>{remark}</li>
    ))}
  </ul>
)
