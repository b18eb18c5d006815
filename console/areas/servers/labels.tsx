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

/** Splits text at commas and drops empty and repeated labels: "web, eu , web" becomes web and eu. */
export function readLabels(text: string): string[] {
  const labels = text.split(',').map((label) => label.trim())
  return [...new Set(labels.filter((label) => label !== ''))]
}

export const writeLabels = (labels: readonly string[]) => labels.join(', ')

/** Returns the first error of a label. The API names the field of a single label by its index, such as `labels.2`. */
export const labelsError = (errors: Readonly<Record<string, string>>) =>
  Object.entries(errors).find(([field]) => /^labels(\.\d+)?$/.test(field))?.[1]
