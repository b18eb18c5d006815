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

/** Dialog with three steps: password, secret with the first code, recovery codes. */
export function TwoFactorDialog({ onClose }: { onClose: () => void }) {
  const [step, setStep] = useState<Step>({ is: 'password' })
  const [kept, setKept] = useState(false)
  return (
    <Dialog open holds locked={step.is === 'codes' && !kept} onOpenChange={onClose} title={titles[step.is]}>
      {step.is === 'password' && <PasswordStep onDone={(begun) => setStep({ is: 'scan', ...begun })} />}
      {step.is === 'scan' && (
        <ScanStep secret={step.secret} url={step.url} onDone={(codes) => setStep({ is: 'codes', codes })} />
      )}
      {step.is === 'codes' && <RecoveryCodes codes={step.codes} kept={kept} onKept={() => setKept(true)} />}
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
      <Field label="Your password" help="Confirm your identity." error={errors['password']}>
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
        Scan the QR code with your authenticator app, or enter the key. Then enter the code from the app.
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

interface RecoveryCodesProps {
  codes: readonly string[]
  /** Whether the codes were copied or downloaded. The dialog cannot be closed before. */
  kept: boolean
  onKept: () => void
}

export function RecoveryCodes({ codes, kept, onKept }: RecoveryCodesProps) {
  const text = codes.join('\n')
  const save = () => {
    saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'slipway-recovery-codes.txt')
    onKept()
  }
  return (
    <>
      <p className="text-muted">
        Recovery codes let you log in without your authenticator app. Each code works once. Save them now. You
        will not be able to see them again.
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
        <CopyButton text={text} label="Copy the recovery codes" variant="secondary" onCopied={onKept}>
          Copy
        </CopyButton>
        <Button onClick={save}>
          <Download aria-hidden />
          Download
        </Button>
      </div>
      <DialogActions>
        {!kept && <p className="text-sm text-muted">Copy or download the codes to continue.</p>}
        <DialogClose variant="primary" disabled={!kept}>
          I have saved my codes
        </DialogClose>
      </DialogActions>
    </>
  )
}
