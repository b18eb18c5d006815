import { useInfiniteQuery } from '@tanstack/react-query'
import type { AlertChoices } from '../../areas/alerts/alert-choices.ts'
import { applicationsQuery } from '../../areas/applications/queries.ts'
import { containersQuery } from '../../areas/containers/queries.ts'
import { type Notification, notificationsQuery } from '../../areas/notifications/queries.ts'
import { projectsQuery } from '../../areas/projects/queries.ts'
import { serversQuery } from '../../areas/servers/queries.ts'
import type { TypedField } from '../../lib/form/typed-field.ts'
import { useAllPages } from '../../lib/http/use-all-pages.ts'
import { Combobox } from '../../ui/form/combobox.tsx'
import { Field } from '../../ui/form/field.tsx'

/** Scopes and channels that an alert can select. */
export function useAlertChoices(): AlertChoices {
  const servers = useInfiniteQuery(serversQuery(''))
  const projects = useInfiniteQuery(projectsQuery(''))
  const applications = useInfiniteQuery(applicationsQuery(''))
  const channels = useInfiniteQuery(notificationsQuery(''))
  useAllPages(servers, true)
  useAllPages(projects, true)
  useAllPages(applications, true)
  useAllPages(channels, true)
  return {
    servers: servers.data?.map(optionOf),
    projects: projects.data?.map(optionOf),
    applications: applications.data?.map(optionOf),
    channels: channels.data?.map((channel) => ({
      id: channel.id,
      name: channel.name,
      help: helpOf(channel),
    })),
    renderContainer: (serverId, field) => (
      <ContainerChoice key={serverId} serverId={serverId} field={field} />
    ),
  }
}

const optionOf = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name })

function helpOf({ state, events }: Notification): string {
  if (!events.includes('alert')) return 'Does not receive alerts'
  if (state === 'off') return 'Off'
  return state === 'paused' ? 'Paused after repeated failures' : ''
}

/** By name, since the container may not exist yet. */
function ContainerChoice({ serverId, field }: { serverId: string; field: TypedField }) {
  const query = useInfiniteQuery(containersQuery(serverId))
  useAllPages(query, true)
  const { name, value, onChange, error } = field
  const names = query.data?.map((container) => container.name) ?? []
  return (
    <Field
      label="Container"
      help="Container name. It stays the same when the container is recreated."
      error={error}
    >
      <Combobox {...{ name, value, onChange }} options={names} label="Containers" />
    </Field>
  )
}
