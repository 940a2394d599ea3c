import type { FastifyInstance } from 'fastify'
import { ANONYMOUS } from '../access/auth.ts'
import { enter, type Span, type Tracer } from './trace.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null: it is not traced. */
    span: Span | null
  }
}

/** Makes each request a span. Health checks, assets and other reads outside the API are left out: there are too many. */
export function traceRequests(app: FastifyInstance, tracer: Tracer | undefined): void {
  app.decorateRequest('span', null)
  if (!tracer) return
  app.addHook('onRequest', (request, _reply, next) => {
    const { method, headers, routeOptions } = request
    if (isQuiet(method, routeOptions.url)) return next()
    // Of a path that is not ours, only the method is told: the path may hold anything.
    const name = routeOptions.url ? `${method} ${routeOptions.url}` : method
    request.span = tracer.begin(headers['traceparent'], name)
    return enter(request.span, next)
  })
  // Reading a body leaves the span, because the connection is older than the request.
  app.addHook('preValidation', (request, _reply, next) => {
    if (request.span) return enter(request.span, next)
    return next()
  })
  app.addHook('onResponse', (request, reply, next) => {
    const { span, operationId, place, caller, madeId } = request
    span?.set({
      'http.request.method': request.method,
      ...(request.routeOptions.url && { 'http.route': request.routeOptions.url }),
      'http.response.status_code': reply.statusCode,
      'switchyard.request_id': request.id,
      ...(operationId !== null && { 'switchyard.operation': operationId }),
      // Without a token, an id may be a secret.
      ...(caller !== null && caller !== ANONYMOUS && idsIn(place?.params, madeId)),
    })
    if (reply.statusCode >= 500) span?.fail()
    span?.end()
    next()
  })
}

/** Which payment, or other resource, the request is about. */
function idsIn(
  params: Readonly<Record<string, unknown>> = {},
  madeId: string | null,
): Record<string, string> {
  const named = Object.entries(params).filter(([name]) => name.endsWith('_id'))
  const ids = named.map(([name, value]) => [`switchyard.${name}`, String(value)] as const)
  return { ...Object.fromEntries(ids), ...(madeId !== null && { 'switchyard.made_id': madeId }) }
}

const QUIET = /^[/](health[/]|metrics$|assets[/]|favicon)|[.*]/

function isQuiet(method: string, route: string | undefined): boolean {
  return (method === 'GET' || method === 'HEAD') && (route === undefined || QUIET.test(route))
}
