/* global SwaggerUIBundle */
// A reference to read, and no console: an API key belongs on a server and is never to be typed into a page.
const nothing = () => () => null;

SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "list",
  displayOperationId: true,
  defaultModelsExpandDepth: 0,
  supportedSubmitMethods: [],
  // The default asks a server of Swagger's whether the document is valid.
  validatorUrl: null,
  plugins: [{ wrapComponents: { authorizeBtn: nothing, authorizeOperationBtn: nothing } }],
});
