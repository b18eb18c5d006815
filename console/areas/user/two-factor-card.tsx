import { useDialog } from '../../lib/use-dialog.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useUser } from './queries.ts'
import { RecoveryCodes, TwoFactorDialog } from './two-factor-dialog.tsx'
import { toast } from 'sonner'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { type Proof, useRenewRecoveryCodes, useStopTwoFactor } from './two-factor.ts'
import { useState } from 'react'
import { useForm } from '../../lib/form/use-form.ts'
import { Field } from '../../ui/form/field.tsx'
import { Input, PasswordInput } from '../../ui/form/input.tsx'

/** Two-factor card. The URL opens its dialogs: `?dialog=two-factor`, `recovery-codes` or `two-factor-off`. */
export function TwoFactorCard() {
  const user = useUser()
  const { dialog, open, close } = useDialog()
  return (
    <>
      <Card
        title={
          <span className="flex items-center gap-2">
            Two-factor authentication
            <Badge tone={user.two_factor ? 'green' : 'neutral'}>{user.two_factor ? 'On' : 'Off'}</Badge>
          </span>
        }
        footer={
          <>
            {user.has_password ? 'Any authenticator app works.' : 'Set a password first.'}
            <span className="flex flex-wrap gap-2">
              {user.two_factor ? (
                <>
                  <Button onClick={() => open('recovery-codes')}>Regenerate recovery codes</Button>
                  <Button onClick={() => open('two-factor-off')}>Turn off</Button>
                </>
              ) : (
                <Button disabled={!user.has_password} onClick={() => open('two-factor')}>
                  Turn on
                </Button>
              )}
            </span>
          </>
        }
      >
        <p className="text-muted">
          {user.two_factor
            ? 'Login requires a code from your authenticator app or a recovery code.'
            : 'Require a code from an authenticator app in addition to your password.'}
        </p>
      </Card>
      {dialog === 'two-factor' && user.has_password && <TwoFactorDialog onClose={close} />}
      {dialog === 'recovery-codes' && user.two_factor && <RenewCodesDialog onClose={close} />}
      {dialog === 'two-factor-off' && user.two_factor && <StopTwoFactorDialog onClose={close} />}
    </>
  )
}

function StopTwoFactorDialog({ onClose }: { onClose: () => void }) {
  const stop = useStopTwoFactor()
  return (
    <Dialog
      open
      holds
      onOpenChange={onClose}
      title="Turn off two-factor authentication?"
      description="Login will require only your password. Your recovery codes stop working."
    >
      <ProofForm
        action="Turn off"
        doing="Turning off…"
        danger
        onProof={async (proof) => {
          await stop.mutateAsync(proof)
          toast.success('Two-factor authentication turned off')
          onClose()
        }}
      />
    </Dialog>
  )
}

function RenewCodesDialog({ onClose }: { onClose: () => void }) {
  const renew = useRenewRecoveryCodes()
  const [codes, setCodes] = useState<readonly string[]>()
  const [kept, setKept] = useState(false)
  return (
    <Dialog
      open
      holds
      locked={codes !== undefined && !kept}
      onOpenChange={onClose}
      title={codes ? 'New recovery codes' : 'Regenerate recovery codes'}
      description={codes ? undefined : 'You get ten new codes, and the old codes stop working.'}
    >
      {codes ? (
        <RecoveryCodes codes={codes} kept={kept} onKept={() => setKept(true)} />
      ) : (
        <ProofForm
          action="Regenerate codes"
          doing="Regenerating…"
          onProof={async (proof) => setCodes((await renew.mutateAsync(proof)).recovery_codes)}
        />
      )}
    </Dialog>
  )
}

interface ProofFormProps {
  action: string
  doing: string
  danger?: boolean
  onProof: (proof: Proof) => Promise<unknown>
}

/** Form that requires the password and a code before the account becomes less secure. */
function ProofForm({ action, doing, danger, onProof }: ProofFormProps) {
  const { form, errors, pending } = useForm({ password: 'required', code: 'required' }, onProof)
  return (
    <form {...form} className="flex flex-col gap-4">
      <Field label="Your password" error={errors['password']}>
        <PasswordInput name="password" autoComplete="current-password" />
      </Field>
      <Field label="Authenticator code or recovery code" error={errors['code']}>
        <Input name="code" autoComplete="one-time-code" maxLength={32} mono />
      </Field>
      <DialogFooter danger={danger} pending={pending && doing}>
        {action}
      </DialogFooter>
    </form>
  )
}
