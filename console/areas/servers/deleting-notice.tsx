import { AddressText } from '../../lib/address-text.tsx'
import { useDialog } from '../../lib/use-dialog.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useDeleteServer } from './mutations.ts'
import { remainingCostNote } from './cloud-status.ts'
import type { Server } from './queries.ts'
import { useLeaveDeletedServer } from './use-leave-deleted-server.ts'

const dialogName = 'forget'

/** Shown until the server is destroyed at its provider, because it is billed until then. */
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
              <Button onClick={() => open(dialogName)}>Forget server</Button>
            </>
          )
        }
      >
        {reason === null ? (
          `Destroying the server at ${place}. Slipway checks until it is gone.`
        ) : (
          <AddressText revealable>{reason}</AddressText>
        )}
      </Notice>
      <ConfirmDialog
        open={manages && dialog === dialogName}
        onOpenChange={close}
        title={`Forget ${name}?`}
        action="Forget server"
        typeName={name}
        pending={forget.isPending && 'Forgetting…'}
        onConfirm={() => forget.mutate('keep')}
      >
        Slipway stops trying to destroy the server. {remainingCostNote(cloud)} Its SSH key and command history
        are deleted here. This cannot be undone.
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
