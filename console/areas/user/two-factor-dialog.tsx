import { lazy, Suspense, useState } from 'react'
import { useForm } from '../../lib/form/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogClose, DialogFooter } from '../../ui/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input, PasswordInput } from '../../ui/form/input.tsx'
import { useConfirmTwoFactor, useStartTwoFactor } from './two-factor.ts'
import { CodeBlock } from '../../ui/code.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Download } from 'lucide-react'
import { saveFile } from '../../lib/http/save-file.ts'
import { CopyButton } from '../../ui/copy-button.tsx'

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
      <DialogFooter pending={pending && 'Checking…'}>Continue</DialogFooter>
    </form>
  )
}

const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }))

interface ScanStepProps {
  secret: string
  url: string
  onDone: (codes: readonly string[]) => void
}

function ScanStep({ secret, url, onDone }: ScanStepProps) {
  const confirm = useConfirmTwoFactor()
  const { form, errors, pending } = useForm({ code: 'required' }, async ({ code }) =>
    onDone((await confirm.mutateAsync(code)).recovery_codes),
  )
  return (
    <form {...form} className="flex flex-col gap-4">
      <p className="text-muted">
        Scan this with your authenticator app or enter the key. Then enter the code it shows.
      </p>
      <div className="flex justify-center">
        <Suspense fallback={<Skeleton className="size-48 rounded-lg!" />}>
          <QrCode text={url} />
        </Suspense>
      </div>
      <CodeBlock label="Copy the key">{secret}</CodeBlock>
      <Field label="Code from the app" error={errors['code']}>
        <Input name="code" inputMode="numeric" autoComplete="one-time-code" maxLength={32} ref={focus} mono />
      </Field>
      <DialogFooter pending={pending && 'Turning on…'}>Turn on</DialogFooter>
    </form>
  )
}

const focus = (input: HTMLInputElement | null) => input?.focus()

export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = codes.join('\n')
  const save = () => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'slipway-recovery-codes.txt')
  return (
    <>
      <p className="text-muted">
        Use a recovery code to log in without your phone. Each code works once. Save them now: they are not
        shown again.
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-md border border-line bg-subtle p-3 font-mono text-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} label="Copy the recovery codes" variant="secondary">
          Copy
        </CopyButton>
        <Button onClick={save}>
          <Download aria-hidden />
          Download
        </Button>
      </div>
      <DialogActions>
        <DialogClose variant="primary">I've saved my codes</DialogClose>
      </DialogActions>
    </>
  )
}
