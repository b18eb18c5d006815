import { BellOff, BellRing } from 'lucide-react'
import { toast } from 'sonner'
import { Button } from '../../ui/button.tsx'
import { DropdownMenu, MenuItem, MenuLabel } from '../../ui/menu/dropdown-menu.tsx'
import { isMuted } from './alert-texts.ts'
import { type Incident, useMuteIncident } from './queries.ts'
import { formatSeconds } from '../../../contract/shared/seconds.ts'

const times = [
  [3600, 'For 1 hour'],
  [4 * 3600, 'For 4 hours'],
  [86_400, 'For 1 day'],
  [7 * 86_400, 'For 1 week'],
] as const

interface MuteItemsProps {
  thing: 'Alert' | 'Incident'
  mutedUntil: string | null
  mute: { mutate: (seconds: number | null, then: { onSuccess: () => void }) => void }
}

export function MuteItems({ thing, mutedUntil, mute }: MuteItemsProps) {
  const run = (seconds: number | null) =>
    mute.mutate(seconds, {
      onSuccess: () =>
        toast.success(seconds === null ? `${thing} unmuted` : `${thing} muted for ${formatSeconds(seconds)}`),
    })
  return (
    <>
      <MenuLabel>Mute</MenuLabel>
      {times.map(([seconds, label]) => (
        <MenuItem key={seconds} onSelect={() => run(seconds)}>
          {label}
        </MenuItem>
      ))}
      {isMuted(mutedUntil) && (
        <MenuItem onSelect={() => run(null)}>
          <BellRing aria-hidden />
          Unmute
        </MenuItem>
      )}
    </>
  )
}

interface MuteIncidentProps {
  incident: Pick<Incident, 'id' | 'muted_until' | 'alert_name' | 'subject'>
  worded?: boolean
}

export function MuteIncident({ incident, worded = false }: MuteIncidentProps) {
  const mute = useMuteIncident(incident.id)
  const name = `${incident.alert_name} on ${incident.subject.name}`
  return (
    <DropdownMenu
      align="end"
      trigger={
        worded ? (
          <Button pending={mute.isPending && 'Muting…'}>
            <BellOff aria-hidden />
            Mute
          </Button>
        ) : (
          <Button variant="ghost" size="small" icon aria-label={`Mute ${name}`}>
            <BellOff aria-hidden />
          </Button>
        )
      }
    >
      <MuteItems thing="Incident" mutedUntil={incident.muted_until} mute={mute} />
    </DropdownMenu>
  )
}
