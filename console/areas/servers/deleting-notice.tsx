import { AddressText } from '../../lib/address-text.tsx'
import { useDialog } from '../../lib/use-dialog.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useDeleteServer } from './changes.ts'
import { costsOn } from './cloud-words.ts'
import type { Server } from './queries.ts'
import { useLeave } from './use-leave.ts'

const dialogName = 'forget'

/** A server on its way out: it stays here until its cloud has none of it any more, since it costs until then. */
export function DeletingNotice({ server, manages }: { server: Server; manages: boolean }) {
  const { id, name, reason, cloud } = server
  const { dialog, open, close } = useDialog()
  const forget = useDeleteServer(id, useLeave(name))
  const place = cloud?.provider_name ?? 'its cloud'
  return (
    <>
      <Notice
        tone="yellow"
        title={`${name} is being deleted`}
        action={
          manages && (
            <>
              {reason !== null && cloud?.cloud_token_id && <TryNow id={id} />}
              <Button onClick={() => open(dialogName)}>Forget it</Button>
            </>
          )
        }
      >
        {reason === null ? (
          `Slipway has it destroyed at ${place}, and looks until nothing of it is left there.`
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
        Slipway stops trying to destroy it. {costsOn(cloud)} Its key and the history of its commands are lost
        here, and cannot be had again.
      </ConfirmDialog>
    </>
  )
}

function TryNow({ id }: { id: string }) {
  const destroy = useDeleteServer(id, () => undefined)
  return (
    <Button pending={destroy.isPending && 'Trying…'} onClick={() => destroy.mutate('destroy')}>
      Try now
    </Button>
  )
}
