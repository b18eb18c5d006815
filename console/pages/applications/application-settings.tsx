import { useQuery } from '@tanstack/react-query'
import { writeVariables } from '../../../contract/shared/dotenv.ts'
import {
  BehaviorCard,
  DeleteApplicationCard,
  SettingsCards,
} from '../../areas/applications/settings/settings-cards.tsx'
import type { ApplicationDetails } from '../../areas/applications/queries.ts'
import { isCompose } from '../../areas/applications/source-label.ts'
import { effectiveValuesQuery } from '../../areas/applications/environment/variables.ts'
import { ComposeCard } from '../../areas/compose/compose-card.tsx'
import { ImageField } from '../../areas/registries/image-field.tsx'
import { ComposeLabelsCard, LabelsCard } from '../../areas/applications/entries/labels-card.tsx'
import { VolumesCard } from '../../areas/applications/entries/volumes-card.tsx'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { useServer } from '../../areas/servers/queries.ts'
import { HookCard } from '../../areas/webhooks/hook-card.tsx'
import { useDialog } from '../../lib/use-dialog.ts'
import { useSection } from '../../lib/use-section.ts'
import { deliveriesPath, paths } from '../../paths.ts'
import { PageSections } from '../../ui/page-sections.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import type { RepositoryPartProps } from '../../areas/applications/settings/build-fields.tsx'
import { RepositoryCards } from '../../areas/applications/settings/repository-cards.tsx'
import { RepositoryLocation } from './repository-location.tsx'

interface SettingsProps {
  application: ApplicationDetails
}

export function ApplicationSettingsPage({ application }: SettingsProps) {
  const { role } = useWorkspace()
  const manages = roleAllows(role, 'applications.manage')
  useSection()
  return (
    <PageSections label="Application settings">
      {manages && <MainSettings application={application} />}
      <EntrySettings application={application} manages={manages} />
      {manages && <LastSettings application={application} />}
    </PageSections>
  )
}

function MainSettings({ application }: SettingsProps) {
  const { data: server } = useServer(application.server.id)
  return (
    <>
      <SettingsCards
        application={application}
        renderImage={(field) => <ImageField {...field} server={server} />}
        compose={isCompose(application.source.type) && <ComposeFile application={application} />}
        repository={application.repository && <ApplicationRepository application={application} />}
      />
      <BehaviorCard application={application} />
    </>
  )
}

/** Entries of an application. Members who cannot change settings can read them here. */
function EntrySettings({ application: { id, source }, manages }: SettingsProps & { manages: boolean }) {
  const { role } = useWorkspace()
  const fromFile = isCompose(source.type)
  return (
    <>
      <VolumesCard
        applicationId={id}
        manages={manages}
        binds={roleAllows(role, 'servers.root')}
        fromFile={fromFile}
      />
      {fromFile ? (
        <ComposeLabelsCard applicationId={id} manages={manages} />
      ) : (
        <LabelsCard applicationId={id} manages={manages} />
      )}
    </>
  )
}

function LastSettings({ application }: SettingsProps) {
  const { open } = useDialog()
  return (
    <>
      <HookCard
        applicationId={application.id}
        deliveries={
          <>
            Pushes and deploy hook calls from the last 30 days.
            <TextLink to={deliveriesPath(application.id)}>Deliveries</TextLink>
          </>
        }
      />
      <DeleteApplicationCard onDelete={() => open('delete')} />
    </>
  )
}

/** Compose file. It is validated with the variables of the application and its project, as in a deployment. */
function ComposeFile({ application }: { application: ApplicationDetails }) {
  const { data, error } = useQuery(effectiveValuesQuery(application.id))
  const env = data ?? (error ? [] : undefined)
  return <ComposeCard application={application} env={env && writeVariables(env)} />
}

const ApplicationRepository = ({ application }: { application: ApplicationDetails }) => (
  <RepositoryCards
    application={application}
    renderPlace={(part) => <Place applicationId={application.id} {...part} />}
  />
)

function Place({ applicationId, typed, errors, onChoose }: RepositoryPartProps & { applicationId: string }) {
  const integrationId = typed['source.integration_id']
  const refused = errors['source.repository'] ?? errors['source.integration_id'] ?? errors['source']
  return (
    <div className="flex flex-col gap-4">
      {integrationId === '' && (
        <p className="text-sm text-red-ink">
          The GitHub account is disconnected, so Slipway cannot build the application.{' '}
          <TextLink to={paths.integrations}>Reconnect the account</TextLink>
        </p>
      )}
      {refused && <p className="text-sm text-red-ink">{refused}</p>}
      <RepositoryLocation {...{ applicationId, integrationId, typed, errors, onChoose }} />
    </div>
  )
}
