import type { ChannelField } from './channel-type.ts'

type FieldInput = Pick<ChannelField, 'name' | 'label' | 'help'> & Partial<ChannelField>

/** Text and required are the defaults. */
export const channelField = (input: FieldInput): ChannelField => ({
  type: 'text',
  required: true,
  placeholder: '',
  choices: [],
  default: '',
  ...input,
})
