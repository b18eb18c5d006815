import type { Channel, ChannelField, ChannelType } from './queries.ts'

type Values = Readonly<Record<string, string>>
type ChannelSettings = Channel['settings']

/** Returns the name of a field. Errors of the server use the same name. */
export const settingFieldName = ({ name }: Pick<ChannelField, 'name'>) => `settings.${name}`

/** Returns the name of the checkbox that removes an optional secret. */
export const removeFieldName = ({ name }: Pick<ChannelField, 'name'>) => `forget.${name}`

/**
 * Returns whether the channel has a value for this secret. The API never returns it, so the field is empty and input
 * replaces the secret.
 */
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

/** Collects the settings to send. Secrets that were not entered again are omitted, so that the server keeps them. */
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

/** Generates a signing secret. Standard Webhooks require `whsec_` and 24 to 64 random bytes in base64. */
export function generateSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `whsec_${btoa(String.fromCodePoint(...bytes))}`
}
