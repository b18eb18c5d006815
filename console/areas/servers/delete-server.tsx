import { type ReactNode, useState } from 'react'
import { useDialog } from '../../lib/use-dialog.ts'
import { Button } from '../../ui/button.tsx'
import { Radio } from '../../ui/form/checkbox.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useDeleteServer } from './mutations.ts'
import { type CloudDeleteMode, deleteOptions } from './delete-options.ts'
import type { Server } from './queries.ts'
import { Card } from '../../ui/card.tsx'
import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import { paths } from '../../paths.ts'
import { useEffectOnce } from '../../lib/use-effect-once.ts'
import { AddressText } from '../../lib/address.tsx'
import { Notice } from '../../ui/notice.tsx'
import { remainingCostNote } from './cloud-status.ts'

const dialogName = 'delete'

/** The button only sets the URL. The dialog is elsewhere on the server page, so every tab can contain this button. */
export function DeleteServerButton({ children }: { children: ReactNode }) {
  const { open } = useDialog()
  return (
    <Button variant="danger" onClick={() => open(dialogName)}>
      {children}
    </Button>
  )
}

/** Destroying a server takes a while, so the page stays open to show the progress. Otherwise the user leaves it. */
export function DeleteServerDialog({ server }: { server: Server }) {
  const { dialog, close } = useDialog()
  const leave = useLeaveDeletedServer()
  return dialog === dialogName ? (
    <DeleteServerConfirmation server={server} onClose={close} onDeleted={leave} />
  ) : null
}

interface QuestionProps {
  server: Server
  onClose: () => void
  onDeleted: () => void
}

export function DeleteServerConfirmation({ server, onClose, onDeleted }: QuestionProps) {
  const { id, name } = server
  const choices = deleteOptions(server)
  const [chosen, setChosen] = useState<CloudDeleteMode>()
  const fate = chosen ?? choices.find(({ open }) => open)?.fate ?? 'keep'
  const remove = useDeleteServer(id, fate === 'destroy' ? onClose : onDeleted)
  return (
    <ConfirmDialog
      open
      wide={choices.length > 0}
      onOpenChange={onClose}
      title={`Delete ${name}?`}
      action={fate === 'destroy' ? 'Destroy server' : 'Delete server'}
      typeName={name}
      pending={remove.isPending && 'Deleting…'}
      onConfirm={() => remove.mutate(fate)}
    >
      <div className="flex flex-col gap-4">
        {choices.length > 0 && (
          <fieldset className="flex flex-col gap-3">
            <legend className="sr-only">Server at {server.cloud?.provider_name}</legend>
            {choices.map(({ fate: value, label, help, open }) => (
              <Radio
                key={value}
                name="fate"
                label={label}
                help={help}
                checked={value === fate}
                disabled={!open}
                onChange={() => setChosen(value)}
              />
            ))}
          </fieldset>
        )}
        <p>{lossOf(server, fate)}</p>
      </div>
    </ConfirmDialog>
  )
}

const lost = 'The command history, metrics and SSH key of this server are deleted'

function lossOf({ cloud }: Server, fate: CloudDeleteMode) {
  if (fate === 'destroy') return `${lost} from Slipway. This cannot be undone.`
  if (cloud?.status === 'deleted')
    return `${lost}. The server no longer exists at ${cloud.provider_name}. This cannot be undone.`
  return `${lost}, and Slipway can no longer connect to it. Containers on the machine keep running. This cannot be undone.`
}

export const DeleteServerCard = ({ server: { cloud } }: { server: Server }) => (
  <Card
    title="Delete server"
    footer={
      <>
        You must type the name to confirm.
        <DeleteServerButton>Delete server</DeleteServerButton>
      </>
    }
  >
    <p className="text-muted">
      {cloud
        ? `Removes the server from Slipway. You can also destroy it at ${cloud.provider_name}; otherwise, its containers keep running.`
        : 'Removes the server from Slipway. Its containers keep running.'}
    </p>
  </Card>
)

export function useLeaveDeletedServer() {
  const navigate = useNavigate()
  return () => {
    toast.success('Server deleted')
    void navigate(paths.servers, { replace: true })
  }
}

export function DeletedServerRedirect() {
  useEffectOnce(useLeaveDeletedServer())
  return null
}

/** The notice stays until the server is destroyed at its provider, because the server is billed until then. */
export function DeletingNotice({ server, manages }: { server: Server; manages: boolean }) {
  const { id, name, reason, cloud } = server
  const { dialog, open, close } = useDialog()
  const forget = useDeleteServer(id, useLeaveDeletedServer())
  const place = cloud?.provider_name ?? 'its cloud provider'
  return (
    <>
      <Notice
        tone="yellow"
        title={`${name} is being deleted`}
        action={
          manages && (
            <>
              {reason !== null && cloud?.cloud_token_id && <TryNow id={id} />}
              <Button onClick={() => open('forget')}>Forget server</Button>
            </>
          )
        }
      >
        {reason === null ? (
          `Destroying the server at ${place}. Slipway removes the server once it no longer exists there.`
        ) : (
          <AddressText revealable>{reason}</AddressText>
        )}
      </Notice>
      <ConfirmDialog
        open={manages && dialog === 'forget'}
        onOpenChange={close}
        title={`Forget ${name}?`}
        action="Forget server"
        typeName={name}
        pending={forget.isPending && 'Forgetting…'}
        onConfirm={() => forget.mutate('keep')}
      >
        Slipway stops trying to destroy the server. {remainingCostNote(cloud)} The SSH key and command history
        of the server are deleted. This cannot be undone.
      </ConfirmDialog>
    </>
  )
}

function TryNow({ id }: { id: string }) {
  const destroy = useDeleteServer(id, () => undefined)
  return (
    <Button pending={destroy.isPending && 'Retrying…'} onClick={() => destroy.mutate('destroy')}>
      Retry now
    </Button>
  )
}
