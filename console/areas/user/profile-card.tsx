import { FormCard } from '../../lib/form/form-card.tsx'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Day } from '../../ui/time.tsx'
import { useRenameUser, useUser } from './queries.ts'
import { Monitor, Moon, Sun } from 'lucide-react'
import { changeSettings, useSettings } from '../../lib/local-settings.ts'
import { setTheme, useTheme } from '../../lib/theme.ts'
import { Switch } from '../../ui/form/checkbox.tsx'

export function ProfileCard() {
  const user = useUser()
  const rename = useRenameUser()
  async function save({ name }: { name: string }) {
    await rename.mutateAsync(name)
    return undefined
  }
  return (
    <FormCard
      title="Profile"
      description="Visible to all members of your workspaces."
      fields={{ name: 'required' }}
      saved={{ name: user.name }}
      save={save}
    >
      {({ typed, errors }) => (
        <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
          <Field label="Name" error={errors['name']}>
            <Input name="name" defaultValue={typed.name} autoComplete="name" />
          </Field>
          <DefinitionList
            items={[
              { term: 'Email', value: user.email },
              ...(user.github === null ? [] : [{ term: 'GitHub', value: user.github }]),
              { term: 'Joined', value: <Day at={user.created_at} /> },
            ]}
          />
        </div>
      )}
    </FormCard>
  )
}

const choices = [
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
  { value: 'system', label: 'System', icon: Monitor },
] as const

export function AppearanceCard() {
  const theme = useTheme()
  const settings = useSettings()
  return (
    <Card title="Appearance" description="Saved in this browser.">
      <div className="flex flex-col gap-6">
        <fieldset>
          <legend className="mb-1.5 text-sm font-medium">Theme</legend>
          <div className="grid grid-cols-3 gap-2">
            {choices.map(({ value, label, icon: Icon }) => (
              <label
                key={value}
                className="flex h-16 cursor-pointer flex-col items-center justify-center gap-1.5 rounded-md border border-edge font-medium hover:bg-hover has-checked:border-accent-ink has-checked:bg-accent-soft has-checked:text-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink"
              >
                <input
                  type="radio"
                  name="theme"
                  value={value}
                  checked={theme === value}
                  onChange={() => setTheme(value)}
                  className="sr-only"
                />
                <Icon className="size-4" aria-hidden />
                {label}
              </label>
            ))}
          </div>
        </fieldset>
        <Switch
          label="Show IP addresses"
          help="If off, IP addresses are masked, except in the output of programs."
          checked={settings.show_ip_addresses}
          onCheckedChange={(shown) => changeSettings({ show_ip_addresses: shown })}
        />
      </div>
    </Card>
  )
}
