import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "@mantine/spotlight/styles.css";
import "./tokens.css";
import "./app.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { lazy, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { queries } from "./api/queries.ts";
import { router } from "./router.tsx";
import { cssVariablesResolver, theme } from "./theme.ts";

/** Earlier notifications appear once this is loaded. */
const Notifications = lazy(async () => ({ default: (await import("@mantine/notifications")).Notifications }));

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
// The nonce must be set before the first render, because a dialog injects a style.
setNonce(nonce);

createRoot(document.getElementById("root") as HTMLElement).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariablesResolver}
    defaultColorScheme="auto"
    getStyleNonce={() => nonce}
  >
    <Suspense fallback={null}>
      <Notifications position="bottom-right" />
    </Suspense>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </MantineProvider>,
);
