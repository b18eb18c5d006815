import type { Release } from './queries.ts'
import { shortDigest } from './short-digest.ts'

/** The images of a release: one, or that of each service. */
export function ReleaseImages({ release }: { release: Pick<Release, 'image' | 'services'> }) {
  const { image, services } = release
  if (services === null)
    return (
      <span dir="ltr" title={image} className="line-clamp-1 font-mono text-sm break-all">
        {image}
      </span>
    )
  return (
    <ul className="flex flex-col py-1 max-sm:items-end max-sm:py-0">
      {services.map(({ name, image: of, digest }) => (
        <li key={name} className="flex flex-wrap gap-x-2 max-sm:justify-end">
          <bdi className="text-muted">{name}</bdi>
          <span
            dir="ltr"
            title={digest === null ? of : `${of} (${shortDigest(digest)})`}
            className="line-clamp-1 font-mono text-sm break-all"
          >
            {of}
          </span>
        </li>
      ))}
    </ul>
  )
}
