import { Checkbox, Radio } from '../../ui/form/checkbox.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'

interface AddressFieldsProps {
  typed: Readonly<Record<string, string>>
  put: (name: string, value: string) => void
  errors: Readonly<Record<string, string>>
}

/** Generated URL or custom domain. */
export function DomainFields({ typed, put, errors }: AddressFieldsProps) {
  const own = typed['address'] === 'own'
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1.5 text-sm font-medium">Domain</legend>
      <Radio
        name="address"
        label="Generated URL"
        help="No DNS setup needed. You can add a domain later."
        checked={!own}
        onChange={() => put('address', 'generated')}
      />
      <Radio
        name="address"
        label="Custom domain"
        help="Point its DNS record to the server."
        checked={own}
        onChange={() => put('address', 'own')}
      />
      {own && (
        <div className="flex flex-col gap-3 pl-6.5">
          <Field label="Domain" error={errors['host']}>
            <Input
              name="host"
              value={typed['host'] ?? ''}
              onChange={({ target }) => put('host', target.value)}
              placeholder="app.example.com"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          </Field>
          <Checkbox
            label="HTTPS with an automatic certificate"
            checked={typed['https'] === 'true'}
            onChange={({ target }) => put('https', String(target.checked))}
          />
        </div>
      )}
    </fieldset>
  )
}
