import { Dices } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Copy } from '../../ui/copy.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { generateSecret } from './generate-secret.ts'

interface SigningSecretProps {
  name: string
  value: string
  onChange: (value: string) => void
}

/** A secret that whoever receives the messages has to know as well: made here at a press, and copied before it is saved. */
export const SigningSecret = ({ name, value, onChange }: SigningSecretProps) => (
  <div className="flex flex-wrap items-center gap-2">
    <div className="min-w-0 flex-1 basis-60">
      <PasswordInput
        mono
        name={name}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        placeholder="whsec_…"
        autoComplete="new-password"
      />
    </div>
    <Button onClick={() => onChange(generateSecret())}>
      <Dices aria-hidden />
      Generate
    </Button>
    {value !== '' && (
      <Copy text={value} label="Copy the secret" variant="secondary">
        Copy
      </Copy>
    )}
  </div>
)
