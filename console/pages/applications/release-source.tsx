import { displayedImage, nextImage } from '../../areas/applications/application-status.ts'
import type { ApplicationDetails } from '../../areas/applications/queries.ts'
import { sourceSummary, triggerLabel } from '../../areas/applications/source-label.ts'
import { ExternalTextLink } from '../../ui/text-link.tsx'

/** Where releases come from: a repository with its branch, an image, or a compose file. */
export function ReleaseSource({
  application: { source, release, repository: settings },
}: {
  application: ApplicationDetails
}) {
  const { repository } = source
  if (repository)
    return (
      <>
        <ExternalTextLink href={repository.url}>{repository.name}</ExternalTextLink> branch{' '}
        <bdi className="font-mono">{repository.branch}</bdi>
        {settings && `, ${triggerLabel(settings)}`}
      </>
    )
  const image = displayedImage({ source, release })
  if (release === null && image !== null)
    return (
      <>
        Not deployed yet: <span className="font-mono">{image}</span>
      </>
    )
  const next = nextImage({ source, release })
  if (next !== undefined)
    return (
      <>
        Next: <span className="font-mono">{next}</span>
      </>
    )
  return release === null ? `Not deployed yet: ${sourceSummary(source)}` : sourceSummary(source)
}
