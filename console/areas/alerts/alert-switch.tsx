import { Switch } from '../../ui/switch.tsx'
import { useUpdateAlert } from './changes.ts'
import type { Alert } from './queries.ts'

/** On or off, at once; it shows what was asked for until that is so. */
export function AlertSwitch({ alert }: { alert: Alert }) {
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
