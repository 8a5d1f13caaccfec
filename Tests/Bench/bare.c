// SPDX-License-Identifier: GPL-3.0-or-later
// A minimal GTK 3 window with as many buttons as the phone: the baseline of the bench.

#include <gtk/gtk.h>

int main(int argc, char **argv)
{
    static const char *const keys[] = {
        "Redial", "Memory", "Messages", "Lock", "1", "2", "3", "4", "5", "6", "7", "8", "9", "*", "0", "#", "DEL", "DIAL",
    };
    gtk_init(&argc, &argv);
    GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
    GtkWidget *grid = gtk_grid_new();
    gtk_grid_attach(GTK_GRID(grid), gtk_label_new("(555) 867-5309"), 0, 0, 3, 1);
    for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
        gtk_grid_attach(GTK_GRID(grid), gtk_button_new_with_label(keys[i]), i % 3, 1 + i / 3, 1, 1);
    gtk_container_add(GTK_CONTAINER(window), grid);
    gtk_window_set_default_size(GTK_WINDOW(window), 360, 640);
    g_signal_connect(window, "destroy", G_CALLBACK(gtk_main_quit), NULL);
    gtk_widget_show_all(window);
    gtk_main();
    return 0;
}
