import type { RepositoryPartProps } from '../areas/applications/build-fields.tsx'
import type { ApplicationDetails } from '../areas/applications/queries.ts'
import { RepositoryCards } from '../areas/applications/repository-cards.tsx'
import { paths } from '../paths.ts'
import { TextLink } from '../ui/text-link.tsx'
import { RepositoryPlace } from './repository-place.tsx'

/** The settings of an application that is built from a repository. */
export const ApplicationRepository = ({ application }: { application: ApplicationDetails }) => (
  <RepositoryCards application={application} renderPlace={(part) => <Place {...part} />} />
)

/** Which branch and folder are built. */
function Place({ typed, errors, onChoose }: RepositoryPartProps) {
  const integrationId = typed['source.integration_id']
  const refused = errors['source.repository'] ?? errors['source.integration_id'] ?? errors['source']
  return (
    <div className="flex max-w-2xl flex-col gap-4">
      {integrationId === '' && (
        <p className="text-sm text-red-ink">
          The account that it was connected with is disconnected, so it cannot be built.{' '}
          <TextLink to={paths.integrations}>Connect it again</TextLink>
        </p>
      )}
      {refused && <p className="text-sm text-red-ink">{refused}</p>}
      <RepositoryPlace integrationId={integrationId} typed={typed} errors={errors} onChoose={onChoose} />
    </div>
  )
}
