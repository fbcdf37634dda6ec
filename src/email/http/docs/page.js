/* global SwaggerUIBundle */
// A reference for reading only. Nothing can be sent from it: API keys belong on servers, never in a page.
const nothing = () => () => null;

SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "list",
  displayOperationId: true,
  defaultModelsExpandDepth: 0,
  supportedSubmitMethods: [],
  // By default the page would send the document's address to Swagger's validator.
  validatorUrl: null,
  plugins: [{ wrapComponents: { authorizeBtn: nothing, authorizeOperationBtn: nothing } }],
});
