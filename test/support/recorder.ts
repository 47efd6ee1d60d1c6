/** A `fetch` that keeps its requests, and answers in turn what it was given; the last one again and again. */
export function recorder(...answers: (Response | Error | (() => Promise<Response>))[]) {
  const requests: Request[] = []
  const fetch = async (request: Request): Promise<Response> => {
    const answer = answers[Math.min(requests.push(request), answers.length) - 1]
    if (answer instanceof Error) throw answer
    if (typeof answer === 'function') return answer()
    return answer?.clone() ?? Response.json({})
  }
  return { requests, fetch }
}

/** An error as the service answers it. */
export function rejection(
  status: number,
  error_code: string,
  headers: Record<string, string> = {},
): Response {
  const body = {
    error_type: 'API_ERROR',
    error_code,
    error_message: 'no',
    display_message: null,
    request_id: 'request000000001',
  }
  return Response.json(body, { status, headers })
}
