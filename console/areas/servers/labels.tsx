export function Labels({ labels }: { labels: readonly string[] }) {
  if (labels.length === 0) return null
  return (
    <ul className="flex min-w-24 flex-wrap gap-1">
      {labels.map((label) => (
        <li
          key={label}
          title={label}
          className="max-w-40 truncate rounded-sm border border-line bg-subtle px-1.5 text-xs leading-5 text-muted"
        >
          <bdi>{label}</bdi>
        </li>
      ))}
    </ul>
  )
}
