import { Badge } from '../../ui/badge.tsx'
import { byNumber, byText } from '../../ui/table/sort.ts'
import type { Column } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { severities } from '../../../contract/shared/alert-kinds.ts'
import { alertBadge, formatChannels, formatCondition, formatScope, severityTexts } from './alert-texts.ts'
import type { Alert } from './queries.ts'
import { Switch } from '../../ui/form/switch.tsx'
import { useUpdateAlert } from './mutations.ts'

export const alertColumns = (manages: boolean): [Column<Alert>, ...Column<Alert>[]] => [
  ...columns,
  ...(manages ? [{ head: 'On', cell: (alert: Alert) => <AlertSwitch alert={alert} />, narrow: true }] : []),
]

const columns: [Column<Alert>, ...Column<Alert>[]] = [
  {
    head: 'Alert',
    cell: (alert) => (
      <span className="flex min-w-0 flex-col sm:py-1.5">
        <bdi>{alert.name}</bdi>
        {formatCondition(alert) !== alert.name && (
          <span className="font-normal text-muted">{formatCondition(alert)}</span>
        )}
      </span>
    ),
    sort: byText(({ name }) => name),
  },
  {
    head: 'Scope',
    cell: (alert) => <span className="block wrap-anywhere sm:py-1">{formatScope(alert)}</span>,
    sort: byText(formatScope),
  },
  {
    head: 'Severity',
    cell: ({ severity }) => (
      <Badge tone={severityTexts[severity].tone}>{severityTexts[severity].label}</Badge>
    ),
    narrow: true,
    sort: byNumber(({ severity }) => severities.indexOf(severity), ['lowest first', 'highest first']),
  },
  {
    head: 'Notifies',
    cell: ({ channels }) => <span className="whitespace-nowrap">{formatChannels(channels)}</span>,
    narrow: true,
    roomy: true,
  },
  { head: 'State', cell: (alert) => <State alert={alert} />, narrow: true },
]

function State({ alert }: { alert: Alert }) {
  const { tone, word } = alertBadge(alert)
  return (
    <span className="flex flex-col items-start gap-0.5 max-sm:items-end">
      <Badge tone={tone}>{word}</Badge>
      {/* For example after its only channel was deleted. */}
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

/** Shows the requested value until the update is done. */
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
