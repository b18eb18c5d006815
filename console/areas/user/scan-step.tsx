import { Suspense, lazy } from 'react'
import { useForm } from '../../lib/form/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { DialogActions, DialogClose } from '../../ui/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useConfirmTwoFactor } from './two-factor.ts'

const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }))

interface ScanStepProps {
  secret: string
  url: string
  onDone: (codes: readonly string[]) => void
}

export function ScanStep({ secret, url, onDone }: ScanStepProps) {
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
      <DialogActions>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={pending && 'Turning on…'}>
          Turn on
        </Button>
      </DialogActions>
    </form>
  )
}

const focus = (input: HTMLInputElement | null) => input?.focus()
