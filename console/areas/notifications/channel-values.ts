import type { Channel, ChannelField, ChannelType } from './queries.ts'

type Values = Readonly<Record<string, string>>
type ChannelSettings = Channel['settings']

/** Matches the field names of server errors. */
export const settingFieldName = ({ name }: Pick<ChannelField, 'name'>) => `settings.${name}`

/** Checkbox next to an optional secret that removes it. */
export const removeFieldName = ({ name }: Pick<ChannelField, 'name'>) => `forget.${name}`

/** The API never returns a secret: its field is empty, and input replaces it. */
export const hasStoredSecret = ({ name, type }: ChannelField, known: ChannelSettings | undefined) =>
  type === 'secret' && known?.[name] === null

export const initialValues = (
  { fields }: Pick<ChannelType, 'fields'>,
  known?: ChannelSettings,
): Record<string, string> =>
  Object.fromEntries(
    fields.flatMap((field) => [
      [settingFieldName(field), known ? (known[field.name] ?? '') : field.default],
      ...(hasStoredSecret(field, known) && !field.required ? [[removeFieldName(field), '']] : []),
    ]),
  )

/** Keeps secrets that were not entered again. */
export const readSettings = (
  { fields }: Pick<ChannelType, 'fields'>,
  values: Values,
  known?: ChannelSettings,
) =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = values[settingFieldName(field)] ?? ''
      const stays = value === '' && hasStoredSecret(field, known) && !values[removeFieldName(field)]
      return stays ? [] : [[field.name, value]]
    }),
  )

export const fieldRules = ({ fields }: Pick<ChannelType, 'fields'>, known?: ChannelSettings) =>
  Object.fromEntries(
    fields.flatMap((field): [string, 'required' | 'optional'][] => [
      [settingFieldName(field), field.required && !hasStoredSecret(field, known) ? 'required' : 'optional'],
      [removeFieldName(field), 'optional'],
    ]),
  )

/** Standard Webhooks require 24 to 64 random bytes in base64 after `whsec_`. */
export function generateSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `whsec_${btoa(String.fromCodePoint(...bytes))}`
}
