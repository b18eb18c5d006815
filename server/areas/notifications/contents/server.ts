import {
  eventSentence,
  type NotifiedEvent,
  type RenderedMessage,
  type RenderMessage,
  renderNotice,
} from '../message-content.ts'

const renderServer =
  (severity: RenderedMessage['severity'], title: (event: NotifiedEvent) => string): RenderMessage =>
  async (ctx, _trx, event) =>
    renderNotice(
      ctx,
      event.type === 'server.deleted'
        ? ['View servers', '/servers']
        : ['View server', `/servers/${event.target_id}`],
      {
        severity,
        title: title(event),
        text: event.detail ?? '',
        ids: event.target_id ? { server_id: event.target_id } : {},
      },
    )

export const serverAdded = renderServer('info', eventSentence)
export const serverSetUp = renderServer('good', eventSentence)
export const serverSetUpFailed = renderServer('warning', eventSentence)
export const serverDeleted = renderServer('warning', eventSentence)
export const serverCreationFailed = renderServer(
  'warning',
  ({ target_name }) => `Could not create the server ${target_name}`,
)
export const serverChangedAtCloud = renderServer(
  'warning',
  ({ target_name }) => `The server ${target_name} changed at its cloud provider`,
)
