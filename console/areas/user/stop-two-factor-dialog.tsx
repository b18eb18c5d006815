import { toast } from 'sonner'
import { Dialog } from '../../ui/dialog.tsx'
import { ProofForm } from './proof-form.tsx'
import { useStopTwoFactor } from './two-factor.ts'

export function StopTwoFactorDialog({ onClose }: { onClose: () => void }) {
  const stop = useStopTwoFactor()
  return (
    <Dialog
      open
      holds
      onOpenChange={onClose}
      title="Turn two-factor off?"
      description="Your password alone then lets anybody in who has it. Your recovery codes stop working."
    >
      <ProofForm
        action="Turn off"
        doing="Turning off…"
        danger
        onProof={async (proof) => {
          await stop.mutateAsync(proof)
          toast.success('Two-factor is off.')
          onClose()
        }}
      />
    </Dialog>
  )
}
