import { useState } from 'react'
import { useForm } from '../../lib/form/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogClose } from '../../ui/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { PasswordInput } from '../../ui/form/password-input.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { ScanStep } from './scan-step.tsx'
import { useStartTwoFactor } from './two-factor.ts'

type Step =
  | { is: 'password' }
  | { is: 'scan'; secret: string; url: string }
  | { is: 'codes'; codes: readonly string[] }

const titles: Record<Step['is'], string> = {
  password: 'Turn on two-factor authentication',
  scan: 'Scan the code',
  codes: 'Two-factor authentication is on',
}

/** Three steps: password, secret and first code, recovery codes. */
export function TwoFactorDialog({ onClose }: { onClose: () => void }) {
  const [step, setStep] = useState<Step>({ is: 'password' })
  return (
    <Dialog open holds onOpenChange={onClose} title={titles[step.is]}>
      {step.is === 'password' && <PasswordStep onDone={(begun) => setStep({ is: 'scan', ...begun })} />}
      {step.is === 'scan' && (
        <ScanStep secret={step.secret} url={step.url} onDone={(codes) => setStep({ is: 'codes', codes })} />
      )}
      {step.is === 'codes' && <RecoveryCodes codes={step.codes} />}
    </Dialog>
  )
}

function PasswordStep({ onDone }: { onDone: (begun: { secret: string; url: string }) => void }) {
  const start = useStartTwoFactor()
  const { form, errors, pending } = useForm({ password: 'required' }, async ({ password }) =>
    onDone(await start.mutateAsync(password)),
  )
  return (
    <form {...form} className="flex flex-col gap-4">
      <Field label="Your password" help="Confirm it's you." error={errors['password']}>
        <PasswordInput name="password" autoComplete="current-password" />
      </Field>
      <DialogActions>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={pending && 'Checking…'}>
          Continue
        </Button>
      </DialogActions>
    </form>
  )
}
