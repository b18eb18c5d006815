import { useInfiniteQuery } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import type { ReactNode } from 'react'
import { dialogOpenedState, useEntryDialog } from '../../lib/use-dialog.ts'
import { useAllPages } from '../../lib/http/paging.ts'
import { useParam } from '../../lib/use-param.ts'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import type { Column } from '../../ui/table/table.tsx'
import type { AlertChoices } from './scope-fields.tsx'
import { EditAlertDialog } from './alert-dialogs.tsx'
import { type Alert, alertsQuery, useDeleteAlert, useMuteAlert, useUpdateAlert } from './queries.ts'
import { ActionsMenu, MenuItem, MenuSeparator } from '../../ui/menu/dropdown-menu.tsx'
import { MuteItems } from './mute-menu.tsx'
import { Badge } from '../../ui/badge.tsx'
import { byNumber, byText } from '../../ui/table/sort.ts'
import { Time } from '../../ui/time.tsx'
import { severities } from '../../../contract/shared/alert-kinds.ts'
import { alertBadge, formatChannels, formatCondition, formatScope, severityTexts } from './alert-texts.ts'
import { Switch } from '../../ui/form/checkbox.tsx'
import { QueryTable } from '../../ui/table/query-table.tsx'
import { ActionDialog } from '../../lib/form/action-dialog.tsx'
import { Card } from '../../ui/card.tsx'

interface AlertsCardProps {
  manages: boolean
  choices: AlertChoices
  action: ReactNode
}

export function AlertsCard({ manages, choices, action }: AlertsCardProps) {
  const [q, setQ] = useParam('q')
  const [sort, setSort] = useParam('sort')
  const query = useInfiniteQuery(alertsQuery(q))
  const { data: alerts } = query
  const { dialog, ask, close, verb, entry } = useEntryDialog(alerts)
  // A link can open the dialog of an alert on a later page, so load all pages.
  useAllPages(query, sort !== '' || dialog !== '')
  const none = alerts?.length === 0
  return (
    <>
      {!(none && q === '') && <SearchInput value={q} onChange={setQ} label="Search alerts" />}
      <Card flush>
        <QueryTable
          label="Alerts"
          things="alerts"
          query={query}
          search={{ q, setQ }}
          empty={{
            icon: BellRing,
            title: 'No alerts yet',
            text: 'Alerts monitor your servers, containers and applications and notify you of problems.',
            action,
          }}
          columns={alertColumns(manages)}
          rowKey={({ id }) => id}
          sort={{ value: sort, onChange: setSort, partial: query.hasNextPage }}
          {...(manages && {
            href: ({ id }: Alert) => `?dialog=edit-${id}`,
            linkState: dialogOpenedState,
            actions: menuOf(ask),
          })}
        />
      </Card>
      <LoadMore query={query} />
      {manages && verb === 'edit' && entry && (
        <EditAlertDialog key={entry.id} alert={entry} choices={choices} onClose={close} />
      )}
      {manages && verb === 'delete' && entry && <DeleteAlertDialog alert={entry} onClose={close} />}
    </>
  )
}

const DeleteAlertDialog = ({ alert, onClose }: { alert: Alert; onClose: () => void }) => (
  <ActionDialog
    title={`Delete ${alert.name}?`}
    action="Delete alert"
    mutation={useDeleteAlert()}
    input={alert.id}
    pending="Deleting…"
    done="Alert deleted"
    onClose={onClose}
  >
    Active incidents are resolved, and no more notifications are sent. The history is kept. To pause
    notifications, mute the alert instead.
  </ActionDialog>
)

interface AlertMenuProps {
  alert: Alert
  ask: (verb: string, alert: Alert) => void
}

const menuOf = (ask: AlertMenuProps['ask']) => (alert: Alert) => <AlertMenu {...{ alert, ask }} />

function AlertMenu({ alert, ask }: AlertMenuProps) {
  const mute = useMuteAlert(alert.id)
  return (
    <ActionsMenu name={alert.name}>
      <MenuItem onSelect={() => ask('edit', alert)}>Edit…</MenuItem>
      <MenuSeparator />
      <MuteItems thing="Alert" mutedUntil={alert.muted_until} mute={mute} />
      <MenuSeparator />
      <MenuItem danger onSelect={() => ask('delete', alert)}>
        Delete…
      </MenuItem>
    </ActionsMenu>
  )
}

const alertColumns = (manages: boolean): [Column<Alert>, ...Column<Alert>[]] => [
  ...columns,
  ...(manages ? [switchColumn] : []),
]

const switchColumn: Column<Alert> = {
  head: 'On',
  cell: (alert) => <AlertSwitch alert={alert} />,
  narrow: true,
  phone: 'first-end',
}

const columns: [Column<Alert>, ...Column<Alert>[]] = [
  {
    head: 'Alert',
    cell: (alert) => (
      <span className="flex min-w-0 flex-col sm:py-1.5">
        <bdi>{alert.name}</bdi>
        {formatCondition(alert) !== alert.name && (
          <span className="font-normal text-muted max-sm:hidden">{formatCondition(alert)}</span>
        )}
      </span>
    ),
    sort: byText(({ name }) => name),
  },
  {
    head: 'Scope',
    cell: (alert) => <span className="block wrap-anywhere sm:py-1">{formatScope(alert)}</span>,
    sort: byText(formatScope),
    phone: 'second',
  },
  {
    head: 'Severity',
    cell: ({ severity }) => (
      <Badge tone={severityTexts[severity].tone}>{severityTexts[severity].label}</Badge>
    ),
    narrow: true,
    desk: true,
    sort: byNumber(({ severity }) => severities.indexOf(severity), ['lowest first', 'highest first']),
  },
  {
    head: 'Notifies',
    cell: ({ channels }) => <span className="whitespace-nowrap">{formatChannels(channels)}</span>,
    narrow: true,
    roomy: true,
    desk: true,
  },
  { head: 'State', cell: (alert) => <State alert={alert} />, narrow: true, phone: 'second-end' },
]

function State({ alert }: { alert: Alert }) {
  const { tone, word } = alertBadge(alert)
  return (
    <span className="flex flex-col items-start gap-0.5 max-sm:items-end">
      <Badge tone={tone}>{word}</Badge>
      {/* An alert loses its last channel when that channel is deleted. */}
      {alert.state !== 'off' && alert.channels?.length === 0 && (
        <span className="text-xs whitespace-nowrap text-yellow-ink">No channels</span>
      )}
      {alert.state !== 'off' && alert.quiet_until !== null && (
        <span className="text-xs whitespace-nowrap text-muted">
          ends <Time at={alert.quiet_until} />
        </span>
      )}
    </span>
  )
}

/** Switch that shows the requested state until the update is done. */
function AlertSwitch({ alert }: { alert: Alert }) {
  const update = useUpdateAlert(alert.id)
  const { isPending, variables } = update
  return (
    <span className="relative flex">
      <Switch
        bare
        label={`${alert.name} is on`}
        checked={isPending ? (variables.enabled ?? alert.enabled) : alert.enabled}
        onCheckedChange={(enabled) => update.mutate({ enabled })}
      />
    </span>
  )
}
