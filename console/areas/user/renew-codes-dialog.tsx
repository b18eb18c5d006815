import { useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { ProofForm } from './proof-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { useRenewRecoveryCodes } from './two-factor.ts'

export function RenewCodesDialog({ onClose }: { onClose: () => void }) {
  const renew = useRenewRecoveryCodes()
  const [codes, setCodes] = useState<readonly string[]>()
  return (
    <Dialog
      open
      holds
      onOpenChange={onClose}
      title={codes ? 'New recovery codes' : 'Renew recovery codes'}
      description={codes ? undefined : 'You get ten new ones. The old ones stop working.'}
    >
      {codes ? (
        <RecoveryCodes codes={codes} />
      ) : (
        <ProofForm
          action="Renew codes"
          doing="Renewing…"
          onProof={async (proof) => setCodes((await renew.mutateAsync(proof)).recovery_codes)}
        />
      )}
    </Dialog>
  )
}
