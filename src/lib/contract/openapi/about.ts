/** The text in front of the reference (Markdown). Each heading is a section, with at most one example. */
export const ABOUT = `## Introduction

The v1 API keeps contacts, takes events, and sends transactional mail, campaigns and workflows. It answers in JSON, and takes JSON in the bodies of requests.

Call it from servers. No answer has CORS headers, because an API key in a page is a key for everyone.

\`\`\`sh
printf 'Authorization: Bearer %s' "$MAILSPAN_API_KEY" | curl -H @- \\
  "$MAILSPAN_URL/v1/api-key"
\`\`\`

## Authentication

Each request names its team by an API key, in the header \`Authorization: Bearer …\`. An operator makes and revokes keys in the dashboard, in Settings.

A request without a valid key gets \`401\`. It reaches no data, and counts for no limit.

## Limits

A team may make 10 requests a second, and 60 a minute that write content. A request over a limit gets \`429\`; \`Retry-After\` says after how many seconds it may be repeated.

Every other answer says what is left, in \`x-ratelimit-limit\` and \`x-ratelimit-remaining\`.

## Repeating a request

A request with an \`Idempotency-Key\` of 1 to 100 characters acts once in 24 hours. Use a new key for each act, and the same key for its repetitions.

A repetition gets \`409\`. On events and transactional mail, that means that the first request has arrived.

## Lists in pages

Lists come in pages, newest first. \`perPage\` sets the length of a page. While there is more, \`pagination.nextCursor\` is the \`cursor\` of the next page.
`;
