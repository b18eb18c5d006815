import { useEffect } from 'react'
import { tellError } from '../../lib/notify.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { useActing } from './changes.ts'
import { KillDialog } from './kill-dialog.tsx'
import type { Container, ContainerDetails } from './queries.ts'
import { RemoveDialog } from './remove-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { StopDialog } from './stop-dialog.tsx'

const asks = { kill: KillDialog, rename: RenameDialog, remove: RemoveDialog, stop: StopDialog } as const
type AskingVerb = keyof typeof asks

/** A list does not tell whether it goes when it stops. */
export type ActedOn = Container & Partial<Pick<ContainerDetails, 'auto_remove'>>

const hasDialog = (verb: string): verb is AskingVerb => Object.hasOwn(asks, verb)

/** Whether something is asked before it is done: of a stop only where it also removes. */
export const isAsking = (verb: string, container: ActedOn): verb is AskingVerb =>
  hasDialog(verb) && (verb !== 'stop' || container.auto_remove === true)

/** In the address; with so much of the id as people use. */
export const dialogName = (verb: AskingVerb, { id }: Container) => `${verb}-${id.slice(0, 12)}`

interface ContainerDialogsProps {
  serverId: string
  /** Those that a dialog may be about. */
  containers: readonly ActedOn[]
  /** There are no others, so that a dialog about another is about one that is gone. */
  complete: boolean
  /** Called instead of closing the dialog, where its page goes too. */
  onRemoved?: () => void
}

/** Open while the address names one of the containers. When that is gone it leaves the address, too. */
export function ContainerDialogs({ serverId, containers, complete, onRemoved }: ContainerDialogsProps) {
  const { dialog, close } = useDialog()
  const [verb = '', id = ''] = dialog.split('-')
  const container = id === '' ? undefined : containers.find((one) => one.id.startsWith(id))
  // What this browser removes itself closes its dialog when that is done.
  const ours = [...useActing(serverId).keys()].some((acted) => acted.startsWith(id))
  const gone = complete && id !== '' && hasDialog(verb) && !container && !ours
  useEffect(() => {
    if (!gone) return
    tellError('This container is not there any more: it was removed.')
    close()
  })
  if (!container || !isAsking(verb, container)) return null
  const Asking = asks[verb]
  return (
    <Asking
      serverId={serverId}
      container={container}
      onClose={close}
      onDone={verb === 'remove' ? (onRemoved ?? close) : close}
    />
  )
}
