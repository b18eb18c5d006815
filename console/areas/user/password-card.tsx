import { useState } from 'react'
import { toast } from 'sonner'
import { useForm } from '../../lib/form/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { Field } from '../../ui/form/field.tsx'
import { PasswordInput } from '../../ui/form/input.tsx'
import { useChangePassword, useUser } from './queries.ts'

/** Password card. A new key after each change empties the form. */
export function PasswordCard() {
  const [changes, setChanges] = useState(0)
  return <PasswordForm key={changes} onDone={() => setChanges(changes + 1)} />
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const { has_password: has } = useUser()
  const change = useChangePassword()
  const [revokes, setRevokes] = useState(false)
  const { form, errors, pending } = useForm(
    { current_password: has ? 'required' : 'optional', password: 'required' },
    async ({ current_password: current, password }) => {
      await change.mutateAsync({
        ...(has ? { current_password: current } : {}),
        password,
        revoke_tokens: revokes,
      })
      toast.success(has ? 'Password changed. Your other sessions have ended.' : 'Password set')
      onDone()
    },
  )
  return (
    <form {...form}>
      <Card
        title={has ? 'Password' : 'Set a password'}
        description={
          has ? undefined : 'Set a password to log in with email and to turn on two-factor authentication.'
        }
        footer={
          <>
            {has
              ? 'Changing the password ends your other sessions.'
              : 'You can set a password within 10 minutes of logging in.'}
            <Button type="submit" variant="primary" pending={pending && 'Saving…'}>
              {has ? 'Change password' : 'Set password'}
            </Button>
          </>
        }
      >
        <div className="grid gap-4 sm:grid-cols-2">
          {has && (
            <Field label="Current password" error={errors['current_password']}>
              <PasswordInput name="current_password" autoComplete="current-password" />
            </Field>
          )}
          <Field label="New password" help="At least 10 characters." error={errors['password']}>
            <PasswordInput name="password" autoComplete="new-password" />
          </Field>
          {has && (
            <div className="sm:col-span-2">
              <Checkbox
                label="Revoke my API tokens"
                help="In all workspaces."
                checked={revokes}
                onChange={({ target }) => setRevokes(target.checked)}
              />
            </div>
          )}
        </div>
      </Card>
    </form>
  )
}
